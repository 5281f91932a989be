import { connectSessionReferences } from '../worker/client.ts';
import { ChatPage } from './chat-page.ts';
import { setUpImport } from './import-drop.ts';
import { Notices } from './notices.ts';
import { requireElement } from './page-element.ts';
import { importSampleConversations } from './sample-conversations.ts';
import { setUpTheme } from './theme.ts';

/** Conversations live in the worker's memory: they are gone when the page is left. */
const STORE = 'memory';
const IS_PERSISTENT = false;

async function start(): Promise<void> {
  setUpTheme();
  const notices = new Notices();
  const client = connectSessionReferences({ store: STORE, fallback: 'page' });
  const page = new ChatPage(client, notices);
  requireElement('new-conversation', HTMLButtonElement).addEventListener('click', () => page.startNew());
  setUpImport((files) => void page.import(files));
  await notices.guard(importSampleConversations(client, IS_PERSISTENT), 'The conversations of this page');
  await page.load();
}

void start();
