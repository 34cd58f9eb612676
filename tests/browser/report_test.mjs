// The HTML report in a real browser: opens reports made by the program, steps through them, filters, and looks for
// anything that leaves the page or is injected by a hostile model. Run by tests/browser/run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { open, parley, report, unprintable, write } from './harness.mjs';

test('a short counterexample: verdicts, stepping by button, keyboard, slider and fragment', async () => {
  const page = await open(report('atm', 'examples/atm.ply'));
  assert.equal(await page.locator('#summary tbody tr').count(), 6);
  assert.equal(await page.locator('#summary .violated').count(), 1);
  assert.equal(await page.locator('#position').textContent(), 'step 0 of 6');
  await page.click('#next');
  assert.match(await page.locator('#story').textContent(), /^1\. environment: sends card to atm/);
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#position').textContent(), 'step 2 of 6');
  assert.match(new URL(page.url()).hash, /^#p2s2$/);
  // After step 2 the cash machine is in `checking`: that state, and only that, is highlighted in its drawing.
  const active = page.locator('#machine .active');
  assert.equal(await active.count(), 1);
  assert.match(await active.textContent(), /checking/);
  assert.equal(await page.locator('#machine .fired').count(), 1);
  assert.match(await page.locator('#queues tr', { hasText: 'bank' }).first().textContent(), /verify\(0, atm\) #2/);
  assert.match(await page.locator('#source .at').textContent(), /on card\(pin\)/);
  await page.keyboard.press('End');
  assert.match(await page.locator('#story').textContent(), /Discards result\(no\)/);
  await page.locator('#slider').fill('3');
  assert.equal(await page.locator('#position').textContent(), 'step 3 of 6');
  await page.goto(page.url().replace(/#.*/, '#p2s5'));
  assert.equal(await page.locator('#position').textContent(), 'step 5 of 6');
  assert.deepEqual(page.problems, []);
});

test('filters hide objects, signals and attributes', async () => {
  const page = await open(report('atm2', 'examples/atm.ply'), '#p2s4');
  const lines = () => page.locator('svg.seq .head').count();
  assert.equal(await lines(), 3);
  await page.locator('.filters summary').click();
  await page.locator('#filter-objects label', { hasText: 'bank' }).locator('input').uncheck();
  assert.equal(await lines(), 2);
  await page.fill('#filter-signal', 'cancel');
  assert.equal(await page.locator('svg.seq line.msg').count(), 1);
  await page.fill('#filter-attribute', 'tries');
  assert.equal(await page.locator('#values tbody tr').count(), 1);
  assert.deepEqual(page.problems, []);
});

test('works without a mouse and with screen readers: names, live region, focus order', async () => {
  const page = await open(report('atm3', 'examples/atm.ply'));
  assert.equal(await page.locator('#story').getAttribute('aria-live'), 'polite');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#detail').textContent(), /no lost messages/);
  for (const name of ['sequence', 'machine'])
    assert.ok(
      await page
        .locator('#' + name + ' [role=img]')
        .first()
        .getAttribute('aria-label'),
    );
  assert.deepEqual(page.problems, []);
});

test('dark mode changes the colours', async () => {
  const file = report('atm4', 'examples/atm.ply');
  const colour = async (scheme) => {
    const page = await open(file, '', { colorScheme: scheme });
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  };
  assert.notEqual(await colour('light'), await colour('dark'));
});

// A chain of 20 objects that hands a token on until it has been handed 300 times: 1 + 2 * … steps, well over 300.
function longModel() {
  return write(
    'long.ply',
    `signal token(int(0..400) n);
class Node { Node next; int(0..400) seen = 0;
  machine { initial -> idle; waiting state idle {
    on token(n) / { seen = n; assert n < 300 : "handed on 300 times"; send token(n + 1) to next; }; } } }
system { node[20] : Node { next = node[(i + 1) % 20]; };
  environment sends token(0) to node[0] at most 1; queues: capacity 2, overflow error; }
check no assertion failures;
`,
  );
}

test('300 steps and 20 objects: under 2 MB, opens quickly, every view follows', async () => {
  const file = report('long', longModel());
  const size = fs.statSync(file).size;
  assert.ok(size < 2_000_000, `report has ${size} bytes`);
  const page = await open(file);
  const opened = await page.evaluate(() => performance.getEntriesByType('navigation')[0].domComplete);
  console.log(`# long report: ${size} bytes, complete after ${Math.round(opened)} ms`);
  const steps = Number((await page.locator('#position').textContent()).match(/of (\d+)/)[1]);
  assert.ok(steps >= 300, `${steps} steps`);
  await page.keyboard.press('End');
  assert.match(await page.locator('#story').textContent(), /assertion failed/);
  await page.locator('#slider').fill('150');
  assert.equal(await page.locator('#position').textContent(), `step 150 of ${steps}`);
  assert.equal(await page.locator('#values tr.changed').count(), 1);
  assert.deepEqual(page.problems, []);
});

test('a hostile model injects nothing', async () => {
  const long = 'x'.repeat(10000);
  const file = write(
    'hostile.ply',
    'signal `<img src=x onerror=alert(1)>`;\n' +
      'class `</script><script>alert(2)</script>` { int `"quoted\' name` = 0;\n' +
      '  machine { initial -> `a"><svg onload=alert(3)>`; state `a"><svg onload=alert(3)>` {\n' +
      '    on `<img src=x onerror=alert(1)>` / { `"quoted\' name` = 1; } -> `\u202eright to left`; }\n' +
      '    state `\u202eright to left` { on `<img src=x onerror=alert(1)>` / { assert false : "<b>bold</b>"; } -> ' +
      long +
      '; }\n' +
      '    state ' +
      long +
      '; } }\n' +
      'system { o : `</script><script>alert(2)</script>`; environment sends `<img src=x onerror=alert(1)>` to o; }\n' +
      'check no assertion failures;\n',
  );
  const html = report('hostile', file);
  const page = await open(html, '#p1s4');
  await page.keyboard.press('End');
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  assert.equal(await page.locator('b').count(), 0);
  assert.deepEqual(page.problems, []);
  // The machine formats and the terminal: what is not text must not get through.
  const output = (format) =>
    spawnSync(parley, ['check', file, '--format', format], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const sarif = JSON.parse(output('sarif').stdout);
  assert.equal(sarif.version, '2.1.0');
  assert.doesNotMatch(output('junit').stdout, /<img|<b>|<script/);
  const text = output('text');
  assert.equal(text.status, 1);
  assert.doesNotMatch(text.stdout + text.stderr, unprintable);
});

test('what was never reached is crossed out on the drawing', async () => {
  const file = write(
    'dead.ply',
    `signal go, stop; class A { machine { initial -> a; waiting state a { on go -> b; on stop / { }; } waiting state b { } state dead { -> a; } } }
system { o : A; environment sends go to o at most 1; }
check no unreachable states; check no unreachable transitions;
`,
  );
  const page = await open(report('dead', file));
  // A text list with all of it, and on the drawing exactly what is in the list.
  assert.deepEqual(await page.locator('#coverage-body li').allTextContents(), [
    'A: dead (line 1)',
    'A: a (internal) on stop (line 1)',
    'A: dead -> a (line 1)',
  ]);
  assert.equal(await page.locator('#coverage-body .unreached').count(), 2);
  assert.equal(await page.locator('#coverage-body text.dead').textContent(), 'stop / { }');
  // Without colour: dashes, and a line through the name.
  const state = page.locator('#coverage-body .node.unreached');
  assert.match(
    await state
      .locator('path')
      .first()
      .evaluate((e) => getComputedStyle(e).strokeDasharray),
    /4/,
  );
  assert.match(
    await state
      .locator('text')
      .first()
      .evaluate((e) => getComputedStyle(e).textDecorationLine),
    /line-through/,
  );
  assert.deepEqual(page.problems, []);
});

test('statements of a Promela process that are never executed are crossed out too', async () => {
  const file = write(
    'dead.pml',
    'byte x;\nactive proctype A() {\n  x = 1;\n  if\n  :: x == 1 -> x = 2\n  :: x == 7 -> x = 3\n  fi\n}\n',
  );
  const page = await open(report('deadpml', file));
  assert.deepEqual((await page.locator('#coverage-body li').allTextContents()).sort(), [
    'A, line 6: x = 3 (line 6)',
    'A, line 6: x == 7 (line 6)',
  ]);
  assert.equal(await page.locator('#coverage-body .edge.unreached').count(), 2);
  assert.deepEqual(page.problems, []);
});
