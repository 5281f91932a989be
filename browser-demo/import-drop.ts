import { SESSION_DRAG_TYPE } from './mention-picker/index.ts';
import { requireElement } from './page-element.ts';

/** Files that one drop may bring; a folder with more is most likely the wrong one. */
const MAX_FILES = 5_000;

/** Names that folders have for themselves, never sessions. */
const IGNORED = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

/** Let files come in: dropped anywhere on the page, pasted, or chosen with the buttons. */
export function setUpImport(onFiles: (files: readonly File[]) => void): void {
  const veil = requireElement('drop-veil', HTMLElement);
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  document.addEventListener('dragover', (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
    // There is no event for leaving the page that can be relied on: it was left when no more of these come.
    clearTimeout(hideTimer);
    hideTimer = setTimeout(() => {
      veil.hidden = true;
    }, 250);
  });
  document.addEventListener('drop', (event) => {
    if (!bringsFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    clearTimeout(hideTimer);
    veil.hidden = true;
    void collectFiles(event.dataTransfer).then(onFiles);
  });
  document.addEventListener('paste', ({ clipboardData }) => {
    if (clipboardData !== null && clipboardData.files.length > 0) onFiles([...clipboardData.files]);
  });
  setUpPicker('choose-files', 'files', onFiles);
  setUpPicker('choose-folder', 'folder', onFiles);
}

function bringsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true && !dataTransfer.types.includes(SESSION_DRAG_TYPE);
}

function setUpPicker(buttonId: string, inputId: string, onFiles: (files: readonly File[]) => void): void {
  const input = requireElement(inputId, HTMLInputElement);
  requireElement(buttonId, HTMLButtonElement).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])].filter(({ name }) => !IGNORED.test(name)).slice(0, MAX_FILES);
    // Must be emptied: choosing the same file again would be no change.
    input.value = '';
    if (files.length > 0) onFiles(files);
  });
}

/** Every file of a drop, also inside folders. */
async function collectFiles(data: DataTransfer): Promise<readonly File[]> {
  // Must be asked for at once: the list is empty as soon as the event is over.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...data.files];
  const files: File[] = [];
  const open: FileSystemEntry[] = entries.reverse();
  for (let entry = open.pop(); entry !== undefined && files.length < MAX_FILES; entry = open.pop()) {
    if (IGNORED.test(entry.name)) continue;
    if (entry.isDirectory) open.push(...(await listFolder(entry as FileSystemDirectoryEntry)));
    else files.push(await openFile(entry as FileSystemFileEntry));
  }
  return files;
}

function openFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A folder is read in pieces, until one is empty. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (piece.length === 0) return entries;
    entries.push(...piece);
  }
}
