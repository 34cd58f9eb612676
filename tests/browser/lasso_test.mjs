// Runs that go on for ever, in a real browser: the loop in the sequence diagram, stepping round it, and the rows of
// sub-formulas. At a narrow and a wide window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, report, run, write } from './harness.mjs';

// The outside may send s for ever, and then o never gets back to idle.
const busy = `signal s, t;
class O { machine { initial -> idle; waiting state idle { on s -> busy; } waiting state busy { on t -> idle; on s; } } }
system { o : O; environment sends s to o when (len(o) == 0); environment sends t to o when (len(o) == 0); }
check G (o receives s -> F (o in idle));
`;
// The only run: x becomes 1 and 2, and then nobody can move.
const ends = 'byte x;\nactive proctype P() { x = 1; x = 2; false }\nltl five { <> (x == 5) }\n';

const text = (page, selector) => page.locator(selector).textContent();

for (const width of [800, 1400])
  test(`a lasso at ${width} px: band, arrow back, steps that go round, rows that follow`, async () => {
    const model = write('busy.ply', busy);
    const [result] = JSON.parse(run('check', model, '--format', 'json').stdout).results;
    const steps = result.trace.steps.length,
      entry = result.trace.loop_start + 1;
    const page = await open(report('busy' + width, model), '', { viewport: { width, height: 900 } });
    assert.match(await text(page, '#result-1'), new RegExp(`${entry - 1} \\+ ${steps - entry + 1} steps`));
    assert.equal(await page.locator('svg.seq .repeats').count(), 1);
    // The band is as high as the rows of the loop.
    const box = (selector, n) => page.locator(selector).nth(n).boundingBox();
    const band = await box('svg.seq .band', 0),
      first = await box('svg.seq .row', entry),
      last = await box('svg.seq .row', steps);
    assert.ok(Math.abs(band.y - first.y) < 1 && Math.abs(band.y + band.height - last.y - last.height) < 1);
    // After the last step of the loop comes its first; going back undoes it.
    await page.keyboard.press('End');
    assert.match(await text(page, '#story'), new RegExp(`Then step ${entry} again, for ever\\.$`));
    await page.click('#next');
    assert.equal(await text(page, '#position'), `step ${entry} of ${steps}, round 2`);
    for (let i = entry; i <= steps; i++) await page.keyboard.press('ArrowRight');
    assert.equal(await text(page, '#position'), `step ${entry} of ${steps}, round 3`);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await text(page, '#position'), `step ${steps} of ${steps}, round 2`);
    await page.keyboard.press('Home');
    assert.equal(await text(page, '#position'), `step 0 of ${steps}`);
    // The rows are those of the JSON result; the column of the current position is marked, and columns are ways to go.
    const shown = await page
      .locator('#truth tbody tr')
      .evaluateAll((list) => list.map((r) => [...r.children].map((c) => c.textContent)));
    assert.deepEqual(
      shown.map((r) => [
        r[0],
        r
          .slice(1)
          .map((c) => (c === '\u2713' ? '1' : '0'))
          .join(''),
      ]),
      [...result.truth.propositions, ...result.truth.subformulas].map((r) => [r.text, r.at]),
    );
    assert.equal(await page.locator('#truth thead .loop-start').textContent(), String(entry));
    await page.locator('#truth thead button').nth(2).click();
    assert.equal(await text(page, '#position'), `step 2 of ${steps}`);
    assert.equal(await page.locator('#truth thead .now').textContent(), '2');
    assert.equal(await page.locator('#truth button[aria-current=step]').textContent(), '2');
    await page.locator('#truth tbody tr').first().locator('td').nth(3).click();
    assert.equal(await text(page, '#position'), `step 3 of ${steps}`);
    // Nothing is wider than the window.
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    assert.deepEqual(page.problems, []);
  });

test('a run that ends says so and stays at its end; notes stand with the verdict', async () => {
  const page = await open(report('ends', write('ends.pml', ends), '--property', 'ltl five'));
  const note = /a run that ends is read as staying in its last state for ever/;
  assert.match(await text(page, '#summary tr.selected'), note);
  assert.match(await text(page, '#detail'), note);
  assert.match(await text(page, '#summary tr.selected'), /2 steps to the end/);
  assert.equal(await page.locator('svg.seq .ended').count(), 1);
  assert.equal(await page.locator('svg.seq .band').count(), 0);
  await page.keyboard.press('End');
  assert.match(await text(page, '#story'), /Here the run ends: nobody can move any more\.$/);
  await page.keyboard.press('ArrowRight');
  assert.equal(await text(page, '#position'), 'step 2 of 2');
  assert.deepEqual(await page.locator('#truth thead button').allTextContents(), ['0', '1', '2', 'end']);
  await page.keyboard.press('Home');
  await page.locator('#truth thead button').last().click();
  assert.equal(await text(page, '#position'), 'step 2 of 2');
  assert.deepEqual(page.problems, []);
});

test('a long loop: the rows move with the step', async () => {
  const model = write(
    'long.pml',
    'byte x;\nactive proctype P() { do :: x < 250 -> x++ :: else -> x = 0 od }\nltl never255 { <> (x == 255) }\n',
  );
  const page = await open(report('long', model, '--property', 'ltl never255'));
  assert.equal(await page.locator('#truth thead button').count(), 120);
  await page.keyboard.press('End');
  const last = /of (\d+)/.exec(await text(page, '#position'))[1];
  assert.equal(await page.locator('#truth thead .now').textContent(), last);
  const seen = await page.locator('#truth thead .now').evaluate((e) => {
    const cell = e.getBoundingClientRect(),
      view = document.getElementById('truth-rows').getBoundingClientRect();
    return cell.left >= view.left && cell.right <= view.right + 1;
  });
  assert.ok(seen, 'the column of the current position is in view');
  assert.deepEqual(page.problems, []);
});

test('properties without a run over time have no rows, and hostile names stay text in them', async () => {
  const plain = await open(report('plain-lasso', 'examples/atm.ply'));
  assert.ok(await plain.locator('#truth').isHidden());
  const evil = '<img src=x onerror=alert(1)>';
  const model = write(
    'hostile-lasso.ply',
    `signal \`${evil}\`;
class O { machine { initial -> \`</script><b>\`; waiting state \`</script><b>\` { on \`${evil}\`; } waiting state other; } }
system { \`\u202eo\` : O; environment sends \`${evil}\` to \`\u202eo\` when (len(\`\u202eo\`) == 0); }
check F (\`\u202eo\` in other); check G !(\`\u202eo\` receives \`${evil}\`);
`,
  );
  const page = await open(report('hostile-lasso', model), '#p2s1');
  await page.keyboard.press('End');
  assert.equal(await page.locator('img, b').count(), 0);
  assert.ok((await text(page, '#truth')).includes(evil));
  assert.deepEqual([...plain.problems, ...page.problems], []);
});
