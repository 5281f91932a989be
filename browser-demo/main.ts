import { connectSessionReferences } from '../worker/client.ts';
import { ChatPage } from './chat-page.ts';
import { setUpImport } from './import-drop.ts';
import { Notices } from './notices.ts';
import { requireElement } from './page-element.ts';
import { importSampleConversations } from './sample-conversations.ts';
import { setUpTheme } from './theme.ts';

/** The database that keeps the conversations: they survive a reload, and other tabs see them. */
const DATABASE = 'session-reference-demo';

async function start(): Promise<void> {
  setUpTheme();
  const notices = new Notices();
  const client = connectSessionReferences({ store: { name: DATABASE }, fallback: 'page' });
  const page = new ChatPage(client, notices);
  requireElement('new-conversation', HTMLButtonElement).addEventListener('click', () => page.startNew());
  setUpImport((files) => void page.import(files));
  await notices.guard(importSampleConversations(client), 'The conversations that come with the page');
  await page.load();
}

void start();
