// The pages about how an answer was found, in a real browser: rounds of refinement, and queues with their cycles,
// growth and weights. What the page shows is compared with the JSON result of the same command.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { open, report, run, scratch, unprintable, write } from './harness.mjs';

const text = (page, selector) => page.locator(selector).textContent();
const rows = (page, selector) =>
  page
    .locator(selector + ' tbody tr')
    .evaluateAll((list) => list.map((r) => [...r.children].map((c) => c.textContent)));

function boundsReport(name, model, ...options) {
  const file = path.join(scratch, name + '.html');
  run('bounds', model, '--html', file, ...options);
  return file;
}

// The boss never waits for the worker's answer, so jobs pile up: one more each time round idle -> busy -> idle.
const growing = `signal tick, job;
class Boss { Worker worker; machine { initial -> idle;
  waiting state idle { on tick / { send job to worker; } -> busy; } state busy { -> idle; } } }
class Worker { machine { initial -> ready; waiting state ready { on job; } } }
system { boss : Boss { worker = worker; }; worker : Worker;
  queues: capacity 2, overflow block; environment sends tick to boss when (len(boss) == 0); }
check no unbounded queues;
`;

test('refinement: every round of the JSON result is on the page, by button, key, table and fragment', async () => {
  const model = 'examples/wide/sequence-wrap.ply';
  const story = JSON.parse(run('check', model, '--engine', 'cegar', '--format', 'json').stdout).results[0].story;
  assert.equal(story.kind, 'refinement');
  assert.ok(story.rounds.length >= 3, 'the example needs several rounds');
  const page = await open(report('wrap', model, '--engine', 'cegar'), '#p1r2');
  assert.equal(await text(page, '#round-position'), `round 2 of ${story.rounds.length}`);
  // Compare: the overview has the sizes, the counterexamples and the splits of all rounds.
  const shown = await rows(page, '#rounds-table');
  assert.deepEqual(
    shown.map((r) => Number(r[2])),
    story.rounds.map((r) => r.abstract_states),
  );
  assert.deepEqual(
    shown.map((r) => r[3]),
    story.rounds.map((r) => (r.counterexample_length === undefined ? 'none' : `${r.counterexample_length} events`)),
  );
  assert.deepEqual(
    shown.map((r) => r[5]),
    story.rounds.map((r) => r.refinements.flatMap((f) => f.split).join('; ')),
  );
  // Step: each round tells its size, why its run was spurious, what was relevant and what was split.
  for (let i = 0; i < story.rounds.length; i++) {
    await page.locator('#rounds-table tbody button').nth(i).click();
    assert.match(page.url(), new RegExp(`#p1r${i + 1}$`));
    const told = await text(page, '#round-page'),
      round = story.rounds[i];
    assert.ok(told.includes(`${round.abstract_states} states, ${round.transitions} transitions`), told);
    for (const f of round.refinements) {
      for (const part of f.why.split('`')) assert.ok(told.includes(part), part);
      for (const part of [...f.initial_relevant, ...f.split, f.refiner, f.expression])
        assert.ok(told.includes(part), part);
    }
    if (round.counterexample_length === undefined) assert.match(told, /the property holds/);
    else assert.match(told, round.feasible ? /it is real/ : /is spurious/);
  }
  await page.click('#round-previous');
  assert.equal(await text(page, '#round-position'), `round ${story.rounds.length - 1} of ${story.rounds.length}`);
  await page.keyboard.press('ArrowLeft'); // the focus is on a button of this section, so the keys belong to it
  assert.equal(await text(page, '#round-position'), `round ${story.rounds.length - 2} of ${story.rounds.length}`);
  // Filter by variable.
  await page.fill('#filter-variable', 'rx.last');
  assert.deepEqual(
    (await rows(page, '#rounds-precision')).map((r) => r[0]),
    ['rx.last'],
  );
  assert.equal((await rows(page, '#rounds-table')).length, 0);
  assert.deepEqual(page.problems, []);
});

test('refinement: a proof ends with a round that finds nothing, and the keys step through rounds', async () => {
  const page = await open(report('running', 'examples/ojala-running.ply', '--engine', 'cegar'));
  assert.ok(await page.locator('#player').isHidden());
  assert.match(await text(page, '#round-page'), /spurious/);
  await page.keyboard.press('End');
  assert.match(await text(page, '#round-page'), /No run of the abstract system breaks the property/);
  // The other properties have their own rounds; a page without a story shows none.
  await page.locator('#summary button').nth(1).click();
  assert.match(page.url(), /#p2$/);
  assert.ok(await page.locator('#rounds').isVisible());
  assert.deepEqual(page.problems, []);
  const plain = await open(report('plain', 'examples/atm.ply'));
  assert.ok((await plain.locator('#rounds').isHidden()) && (await plain.locator('#bounds').isHidden()));
});

test('bounds: a growing queue with its cycles on the machine and its growth per round', async () => {
  const model = write('growing.ply', growing);
  const page = await open(boundsReport('growing', model, '--time', '3s'), '#p1q2');
  assert.match((await rows(page, '#bounds-table'))[1].join('|'), /worker\|unbounded\|\d+\|2\|a loop that repeats/);
  // By hand: each round is tick, idle -> busy, busy -> idle; the worker's queue gets one job each time.
  const tables = page.locator('#queue-page table');
  assert.deepEqual(await tables.nth(0).locator('tbody td').allTextContents(), [
    'worker',
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
  assert.deepEqual(await rows(page, '#queue-page table:nth-of-type(2)'), [
    ['A', 'boss', 'idle -> busy -> idle', 'once', '+1 job in worker, -1 tick in boss'],
    ['B', 'environment', 'sends tick to boss', 'once', '+1 tick in boss'],
  ]);
  assert.deepEqual(await page.locator('#queue-page .edge.cycle text.badge').allTextContents(), [
    'A\u00d71',
    'A\u00d71',
  ]);
  assert.equal(await page.locator('#queue-page svg.chart polyline').count(), 1);
  assert.match(await text(page, '#queue-page .argument'), /again, and again, for ever/);
  // The run itself can be stepped through, although the queue gets longer than its capacity.
  assert.equal(await text(page, '#position'), 'step 0 of 3');
  await page.locator('#slider').fill('3');
  assert.match(await page.locator('#queues tr', { hasText: 'worker' }).textContent(), /job #2/);
  assert.deepEqual(page.problems, []);
});

test('bounds: a bounded queue shows its bound and weights; stepping and filtering queues', async () => {
  const model = 'examples/philosophers.ply';
  const queues = JSON.parse(run('bounds', model, '--format', 'json').stdout).queues;
  const page = await open(boundsReport('phil', model));
  const shown = await rows(page, '#bounds-table');
  assert.deepEqual(
    shown.map((r) => r[0]),
    queues.map((q) => q.name),
  );
  assert.deepEqual(
    shown.map((r) => Number(/at most (\d+)/.exec(r[1])[1])),
    queues.map((q) => q.limit),
  );
  assert.match(await text(page, '#queue-page .argument'), /weighs at least 1, so there are never more than 3/);
  assert.ok(
    (await rows(page, '#queue-page table:nth-of-type(1)')).some(
      (r) => r[0] === 'take in fork[0]' && r[1] === 'message',
    ),
  );
  await page.click('#queue-next');
  assert.equal(await text(page, '#queue-position'), 'queue 2 of 6');
  await page.keyboard.press('End');
  assert.equal(await text(page, '#queue-position'), 'queue 6 of 6');
  assert.match(page.url(), /#p1q6$/);
  await page.fill('#filter-queue', 'phil');
  assert.deepEqual(
    (await rows(page, '#bounds-table')).map((r) => r[0]),
    ['phil[0]', 'phil[1]', 'phil[2]'],
  );
  assert.deepEqual(page.problems, []);
});

test('bounds: an unknown queue shows the cycles that might be combined', async () => {
  // x and y differ by one for a billion ticks: too far for a search, and no proof says that they always do.
  const model = write(
    'open.ply',
    `signal tick, job;
class Counter { Store store; int x = 0; int y = 1;
  machine { initial -> counting; waiting state counting {
    on tick [x == y] / { send job to store; x = x + 1; y = y + 1; } -> noted;
    on tick [x != y] / { x = x + 1; if (x != 1000000000) { y = y + 1; } }; }
    state noted { -> counting; } } }
class Store { machine { initial -> open; waiting state open { defer job; on tick; } } }
system { counter : Counter { store = store; }; store : Store;
  queues: capacity 2, overflow block; environment sends tick to counter when (len(counter) == 0); }
`,
  );
  const page = await open(boundsReport('open', model, '--time', '2s'), '#p1q2');
  assert.match((await rows(page, '#bounds-table'))[1].join('|'), /store\|unknown/);
  assert.match(await text(page, '#queue-page .argument'), /No run was found that does it/);
  const cycles = await rows(page, '#queue-page table:nth-of-type(1)');
  assert.ok(
    cycles.some((r) => r[1] === 'counter' && /counting -> noted -> counting/.test(r[2]) && /\+1 .*job/.test(r[4])),
    JSON.stringify(cycles),
  );
  assert.ok((await page.locator('#queue-page .edge.cycle').count()) >= 2);
  assert.deepEqual(page.problems, []);
});

test('parley check has the bounds page too, and Promela processes are drawn', async () => {
  const model = write(
    'producer.pml',
    'chan c = [2] of { byte };\nactive proctype Producer() { do :: c!1 :: c!2 od }\nactive proctype Consumer() { byte x; do :: c?x od }\n',
  );
  const page = await open(boundsReport('producer', model, '--time', '3s'));
  assert.match(await text(page, '#queue-page'), /unbounded/);
  assert.ok((await page.locator('#queue-page .edge.cycle').count()) >= 1);
  const checked = await open(report('checked', write('growing2.ply', growing), '--time', '3s'));
  assert.match(await text(checked, '#bounds-table'), /unbounded/);
  assert.deepEqual([...page.problems, ...checked.problems], []);
});

test('story pages: roles and names for screen readers, dark mode, no mouse', async () => {
  const file = boundsReport('roles', write('growing3.ply', growing), '--time', '2s');
  const page = await open(file, '#p1q2', { colorScheme: 'dark' });
  assert.equal(await page.getByRole('region', { name: 'How long can each queue get?' }).count(), 1);
  assert.equal(await page.getByRole('group', { name: 'Choose a queue' }).count(), 1);
  assert.equal(await page.getByRole('button', { name: 'worker', pressed: true }).count(), 1);
  for (const name of [/Length of the growing queues over 6 rounds/, /boss: cycle A idle -> busy -> idle once/])
    assert.equal(await page.getByRole('img', { name }).count(), 1);
  assert.equal(await page.locator('#queue-page').getAttribute('aria-live'), 'polite');
  assert.equal(await page.locator('table th:not([scope])').count(), 0);
  // Everything that scrolls can be reached with the Tab key and scrolled with the keys.
  assert.equal(await page.locator('.scroll:not([tabindex="0"])').count(), 0);
  await page.locator('#queue-previous').focus();
  await page.keyboard.press('Enter');
  assert.equal(await text(page, '#queue-position'), 'queue 1 of 2');
  await page.keyboard.press('ArrowRight');
  assert.equal(await text(page, '#queue-position'), 'queue 2 of 2');
  // In the dark the curve and the text must stand out from the background.
  const contrast = await page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((v) => {
        const c = v / 255;
        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const of = (selector, property) => light(getComputedStyle(document.querySelector(selector))[property]);
    const back = of('body', 'backgroundColor');
    return ['#queue-page .argument', '#bounds-figures', '#queue-page .verdict']
      .map((s) => of(s, 'color'))
      .concat([of('svg.chart .curve', 'stroke'), of('svg.chart text', 'fill'), of('.drawing text.badge', 'fill')])
      .map((c) => (Math.max(c, back) + 0.05) / (Math.min(c, back) + 0.05));
  });
  for (const c of contrast) assert.ok(c >= 4.5, `contrast ${contrast}`);
  assert.deepEqual(page.problems, []);
});

test('hostile names stay text on the story pages', async () => {
  const evil = '<img src=x onerror=alert(1)>',
    closer = '</script><script>alert(2)</script>',
    turned = '\u202eright to left',
    long = 'x'.repeat(10000);
  const bounds = write(
    'hostile-bounds.ply',
    `signal tick, \`${evil}\`;
class \`${closer}\` { Worker worker; machine { initial -> \`a"><svg onload=alert(3)>\`;
  waiting state \`a"><svg onload=alert(3)>\` { on tick / { send \`${evil}\` to worker; } -> ${long}; } state ${long} { -> \`a"><svg onload=alert(3)>\`; } } }
class Worker { machine { initial -> \`${turned}\`; waiting state \`${turned}\` { on \`${evil}\`; } } }
system { \`o${evil}\` : \`${closer}\` { worker = \`"${closer}\`; }; \`"${closer}\` : Worker;
  queues: capacity 2, overflow block; environment sends tick to \`o${evil}\` when (len(\`o${evil}\`) == 0); }
`,
  );
  const rounds = write(
    'hostile-rounds.ply',
    `signal tick;
class C { int \`${evil}\` = 1; int \`${closer}\` = 0;
  machine { initial -> s; waiting state s { on tick / { \`${closer}\` = \`${evil}\` + 7; assert \`${closer}\` > 5 : "<b>${closer}</b>"; }; } } }
system { \`${turned}\` : C; environment sends tick to \`${turned}\`; }
check no assertion failures;
`,
  );
  for (const file of [
    boundsReport('hostile-bounds', bounds, '--time', '3s'),
    report('hostile-rounds', rounds, '--engine', 'cegar'),
  ]) {
    const page = await open(file);
    await page.keyboard.press('End');
    for (const [name, n] of [
      ['img', 0],
      ['script', 2],
      ['b', 0],
      ['svg svg', 0],
    ])
      assert.equal(await page.locator(name).count(), n, name);
    assert.ok((await page.locator('#rounds:visible, #bounds:visible').count()) === 1);
    assert.ok((await page.content()).includes('onerror'), 'the name is shown');
    assert.deepEqual(page.problems, []);
  }
  // The terminal and JSON forms of the same stories.
  const told = run('bounds', bounds, '--explain', '--time', '2s');
  assert.doesNotMatch(told.stdout + told.stderr, unprintable);
  JSON.parse(run('check', rounds, '--engine', 'cegar', '--format', 'json').stdout);
  const explained = run('explain-cex', rounds, '--rounds', 'all');
  assert.doesNotMatch(explained.stdout + explained.stderr, unprintable);
  assert.ok(fs.statSync(path.join(scratch, 'hostile-bounds.html')).size < 2_000_000);
});
