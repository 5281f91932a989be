import type { Page } from '@playwright/test';

/** What a large file looks like: `{n}` in a line becomes its number. */
export interface FileDescription {
  readonly head: string;
  readonly line: string;
  readonly separator: string;
  readonly tail: string;
  readonly lines: number;
}

/** Drop a file that is made on the page, so that it need not cross from the test. */
export function dropMade(page: Page, name: string, description: FileDescription): Promise<void> {
  return page.evaluate(
    ({ fileName, file: { head, line, separator, tail, lines } }) => {
      const transfer = new DataTransfer();
      const text = Array.from({ length: lines }, (_, index) => line.replaceAll('{n}', String(index))).join(separator);
      transfer.items.add(new File([head, text, tail], fileName));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    { fileName: name, file: description },
  );
}
