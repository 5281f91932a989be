import { parseSessionReferenceText } from 'session-reference';
import { connectSessionReferences } from 'session-reference/client';

/** What every app does: import a file, find it, reference it. `CONNECT` is what an app must say to find its workers. */
export async function runApp(options = {}) {
  const sessions = connectSessionReferences({ store: 'memory', startTimeout: 5_000, ...options });
  try {
    const { mode } = await sessions.ready;
    const lines = [
      { type: 'session', version: 0, id: 'source', createdAt: 1 },
      { type: 'user/message', data: { content: [{ type: 'text', text: 'told elsewhere' }], source: { kind: 'user' } } },
      { type: 'session/title', data: { title: 'Fix login' } },
    ];
    await sessions.importSessions(new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]));
    const [candidate] = await sessions.listCandidates({ id: 'current' }, 'login');
    const { text, references } = parseSessionReferenceText(`see ${candidate.mention}`);
    const { additionalContext } = await sessions.prepare({ id: 'current' }, [{ type: 'text', text }], references);
    const isQuoted = additionalContext.content[0].text.includes('told elsewhere');
    return isQuoted ? `prepared in the ${mode}: ${text}` : 'nothing was quoted';
  } catch (error) {
    return `${error.code ?? error.name}: ${error.message}`;
  } finally {
    sessions.close();
  }
}

export function report(result) {
  result.then((text) => {
    document.title = text;
  });
}
