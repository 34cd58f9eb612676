// What the browser tests share: a browser, reports made by the program, and pages that fail on any request, console
// error or dialog.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

// What no output may hold: control characters, and marks that turn the direction of text.
export const unprintable = /[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]/; // eslint-disable-line no-control-regex
export const root = process.env.PARLEY_SOURCE_DIR;
export const parley = path.join(process.env.PARLEY_BINARY_DIR, 'parley');
export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-browser-'));
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.PARLEY_CHROMIUM || '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});
after(async () => {
  await browser?.close();
  fs.rmSync(scratch, { recursive: true });
});

// The program's output; any status but "bad input" and "internal error" is fine.
export function run(...words) {
  const done = spawnSync(parley, words, { encoding: 'utf8', cwd: root, maxBuffer: 1 << 26 });
  assert.ok(done.status <= 2, done.stdout + done.stderr);
  return done;
}
export function report(name, model, ...options) {
  const file = path.join(scratch, name + '.html');
  run('check', model, '--html', file, '--quiet', ...options);
  return file;
}
export function write(name, text) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
}

// A page that fails the test on any request, console error or dialog.
export async function open(file, fragment = '', options = {}) {
  const page = await browser.newPage(options);
  const problems = [];
  page.on('request', (r) => {
    if (!r.url().startsWith('file:') || r.isNavigationRequest() === false) problems.push('request ' + r.url());
  });
  page.on('pageerror', (e) => problems.push('error ' + e));
  page.on('console', (m) => {
    if (m.type() === 'error') problems.push('console ' + m.text());
  });
  page.on('dialog', (d) => {
    problems.push('dialog ' + d.message());
    d.dismiss();
  });
  await page.goto(pathToFileURL(file) + fragment);
  page.problems = problems;
  return page;
}
