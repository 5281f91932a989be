import { openAssemblyLogScanner } from './assembly-log-scanner.ts';
import { JavaScriptLogScanner } from './javascript-log-scanner.ts';
import type { LogScanner, ScannerSettings } from './log-scanner.ts';

/**
 * The fastest scanner that this place allows. All of them tell the same.
 *
 * @param settings - see {@link ScannerSettings}.
 */
export async function openLogScanner(settings: ScannerSettings): Promise<LogScanner> {
  return (await openAssemblyLogScanner(settings)) ?? new JavaScriptLogScanner(settings);
}
