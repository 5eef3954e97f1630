/** Writes pictures of the window to test-results/pictures. They name no folder of the machine. */
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ROOT } from '../e2e/fixture';

/** Milliseconds for one picture; a screen that draws at all needs a tenth of one second. */
const PICTURE_LIMIT_MS = 10_000;

/** @param name the file without its extension, relative to test-results/pictures */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.evaluate(renameFolders, ROOT);
  const file = path.join(ROOT, 'test-results/pictures', `${name}.png`);
  await page.screenshot({ path: file, timeout: PICTURE_LIMIT_MS });
}

/** Runs in the page. Replaces this clone and the folders of the fixture by those of a user. */
function renameFolders(root: string): void {
  const renamed = (text: string) =>
    text.replaceAll(root, '/home/ada/lisp-harbor').replaceAll(/\/\S*\/harbor-\w{6}(?=\/)/g, '/home/ada');
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    node.nodeValue = renamed(node.nodeValue ?? '');
  for (const input of document.querySelectorAll('input')) input.value = renamed(input.value);
}
