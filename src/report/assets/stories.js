'use strict';
/* exported storyPages */
// The pages about how an answer was found: rounds of a refinement loop, and queues with their cycles, growth and
// weights. As in report.js, everything comes from the JSON in #data and is set as text.
function storyPages({ data, $, el, svg, insertDrawing, short, signs, fragment }) {
  let story = null;
  let chosen = 0; // round or queue shown, from 0
  let filter = '';
  // How each section of the page lays out its story.
  const sections = {
    rounds: { items: () => story.rounds, render: refinement },
    bounds: { items: () => story.queues, render: bounds },
  };
  const items = () => (story ? sections[story.section].items() : []);
  const table = (heads, rows, attributes) =>
    el(
      'table',
      attributes || {},
      el('thead', {}, el('tr', {}, ...heads.map((t) => el('th', { scope: 'col', text: t })))),
      el('tbody', {}, ...rows),
    );
  const row = (cells, attributes) =>
    el('tr', attributes || {}, ...cells.map((c) => (c instanceof Node ? el('td', {}, c) : el('td', { text: c }))));
  const has = (text) => filter === '' || String(text).toLowerCase().includes(filter);
  const times = (n) => (n === 1 ? 'once' : n + ' times');
  const count = (n, what) => n + ' ' + what + (n === 1 ? '' : 's');

  // Text with `code` in it.
  const prose = (text) =>
    text
      .split('`')
      .map((part, i) => (i % 2 ? el('code', { text: part }) : part))
      .filter((part) => part !== '');

  function show(next) {
    story = next || null;
    chosen = 0;
    filter = '';
    for (const id of ['filter-variable', 'filter-queue']) $(id).value = '';
    for (const section of Object.keys(sections)) $(section).hidden = !story || story.section !== section;
    if (!story) return;
    chosen = story.first || 0;
    render();
  }
  function choose(index) {
    if (!items().length) return;
    chosen = Math.max(0, Math.min(index, items().length - 1));
    render();
    fragment(story.letter + (chosen + 1));
  }
  function render() {
    sections[story.section].render();
  }
  // A row of an overview table that opens its page.
  function opener(text, index) {
    return el('button', {
      type: 'button',
      class: 'link',
      text,
      'aria-pressed': String(index === chosen),
      onclick: () => choose(index),
    });
  }

  // --- charts ---------------------------------------------------------------------------------------------------
  const dashes = ['', '7 4', '2 3', '10 3 2 3'];
  // curves: [{ name, points: [[x, y], …] }]; the whole width is 0..right, grid: [[x, label], …]
  function chart(curves, right, grid, level, label) {
    const width = 560,
      height = 190,
      left = 44,
      bottom = 26,
      topEdge = 12,
      space = 110;
    const highest = Math.max(1, ...curves.flatMap((c) => c.points.map((p) => p[1])), level ? level.value : 0);
    const x = (v) => left + (v / Math.max(1, right)) * (width - left - space),
      y = (v) => height - bottom - (v / highest) * (height - bottom - topEdge);
    const root = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
    const line = (x1, y1, x2, y2, kind) => root.append(svg('line', { class: kind, x1, y1, x2, y2 }));
    for (const [at, text] of grid) {
      line(x(at), topEdge, x(at), height - bottom, 'grid');
      root.append(svg('text', { x: x(at), y: height - 9, 'text-anchor': 'middle' }, text));
    }
    line(left, height - bottom, width - space, height - bottom, 'axis');
    line(left, topEdge, left, height - bottom, 'axis');
    for (const v of [...new Set([0, Math.round(highest / 2), highest])])
      root.append(svg('text', { x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, String(v)));
    if (level) {
      line(left, y(level.value), width - space, y(level.value), 'level');
      root.append(svg('text', { x: width - space + 4, y: y(level.value) + 4 }, level.name));
    }
    curves.forEach((c, i) => {
      root.append(
        svg('polyline', {
          class: 'curve',
          'stroke-dasharray': dashes[i % dashes.length],
          points: c.points.map((p) => x(p[0]) + ',' + y(p[1])).join(' '),
        }),
      );
      const last = c.points[c.points.length - 1];
      root.append(svg('text', { class: 'name', x: x(last[0]) + 5, y: y(last[1]) + 4 }, short(c.name, 16)));
    });
    return root;
  }

  // --- rounds -----------------------------------------------------------------------------------------------------
  function refinement() {
    const r = story.rounds[chosen];
    $('round-position').textContent = 'round ' + (chosen + 1) + ' of ' + story.rounds.length;
    if (story.rounds.length > 2) {
      const points = (key) => story.rounds.map((one, i) => [i, one[key]]);
      const every = Math.ceil(story.rounds.length / 10);
      $('rounds-chart').replaceChildren(
        chart(
          [
            { name: 'abstract states', points: points('states') },
            { name: 'cells', points: points('cells') },
          ],
          story.rounds.length - 1,
          story.rounds.map((one, i) => [i, String(one.round)]).filter((g, i) => i % every === 0),
          null,
          'Abstract states and cells in each round; the table below has the numbers',
        ),
      );
    } else $('rounds-chart').replaceChildren();
    $('round-page').replaceChildren(...roundPage(r));
    const rows = story.rounds
      .map((one, i) => {
        const split = one.refinements.flatMap((f) => f.split);
        if (filter !== '' && ![...split, ...one.refinements.flatMap((f) => f.relevant.map((v) => v.name))].some(has))
          return null;
        return row(
          [
            opener('round ' + one.round, i),
            one.cells + ' in ' + one.variables + ' variables',
            one.states,
            one.length === undefined ? 'none' : count(one.length, 'event'),
            one.length === undefined ? '-' : one.feasible ? 'real' : 'spurious',
            split.filter(has).join('; '),
          ],
          { class: i === chosen ? 'selected' : false },
        );
      })
      .filter(Boolean);
    $('rounds-table').replaceChildren(
      table(['Round', 'Intervals', 'Abstract states', 'Counterexample', 'On the model', 'Split'], rows),
    );
    if (story.more)
      $('rounds-table').append(
        el('p', { class: 'dim', text: 'and ' + count(story.more, 'more round') + ', in the JSON result' }),
      );
    const parts = story.precision.filter((v) => has(v.variable));
    $('rounds-precision').replaceChildren(
      el('h3', { text: 'Intervals at the end' }),
      table(
        ['Variable', 'Intervals', 'Which'],
        parts.map((v) => row([v.variable, v.cells, el('span', { class: 'mono', text: v.text })])),
      ),
    );
  }
  function roundPage(r) {
    const page = [
      el('h3', { text: 'Round ' + r.round }),
      el('p', {
        text:
          'The abstract system: ' +
          count(r.states, 'state') +
          ', ' +
          count(r.transitions, 'transition') +
          '; ' +
          count(r.variables, 'variable') +
          ' seen through ' +
          count(r.cells, 'interval') +
          '.',
      }),
      el('p', {}, el('strong', { text: r.outcome })),
    ];
    r.refinements.forEach((f, i) => {
      const list = el('dl', {});
      const entry = (name, value) => {
        if (value) list.append(el('dt', { text: name }), el('dd', {}, ...(Array.isArray(value) ? value : [value])));
      };
      entry(
        'Why it is spurious',
        prose(
          (f.executed === f.length
            ? 'The model can follow all ' + count(f.length, 'event') + ', but '
            : 'The model can follow ' + f.executed + ' of ' + count(f.length, 'event') + '; ') +
            f.why +
            '.',
        ),
      );
      if (f.initial.length)
        entry(
          'Relevant where the runs part',
          f.initial.filter(has).join(', ') + ' (place ' + f.initial_number + ' of the analysis)',
        );
      const relevant = f.relevant.filter((v) => has(v.name));
      if (relevant.length)
        entry(
          'Relevant on the way there',
          relevant.map((v) =>
            el(
              'div',
              {},
              el('span', { class: 'mono', text: v.name }),
              el('span', { class: 'dim', text: ' at ' + v.at }),
            ),
          ),
        );
      if (f.split.length) {
        entry('Found by', f.refiner + (f.expression ? ', looking at step ' + f.step + ':' : ''));
        if (f.expression) list.lastChild.append(el('div', { class: 'mono', text: f.expression }));
        entry(
          'Split',
          f.split.filter(has).map((s) => el('div', { class: 'mono', text: s })),
        );
      } else entry('Split', 'nothing: no refiner could change an interval');
      page.push(
        el('h4', { text: r.refinements.length > 1 ? 'Refinement ' + (i + 1) : 'What was done about it' }),
        list,
      );
    });
    if (r.more)
      page.push(el('p', { class: 'dim', text: 'and ' + count(r.more, 'more refinement') + ' along the same events' }));
    return page;
  }

  // --- queues -----------------------------------------------------------------------------------------------------
  function answer(q) {
    if (q.rendezvous) return el('span', { class: 'dim', text: 'rendezvous' });
    const text = q.answer === 'bounded' ? 'at most ' + q.limit + (q.reached ? ' (reached)' : '') : q.answer;
    return el('span', { class: 'verdict ' + q.shown_as, 'data-sign': signs[q.shown_as], text });
  }
  function bounds() {
    const q = story.queues[chosen];
    $('queue-position').textContent = q ? 'queue ' + (chosen + 1) + ' of ' + story.queues.length : 'no queues';
    $('bounds-table').replaceChildren(
      table(
        ['Queue of', 'Length', 'Longest seen', 'Declared', 'Shown by', 'What to do'],
        story.queues
          .map((one, i) =>
            has(one.name)
              ? row(
                  [
                    opener(one.name, i),
                    answer(one),
                    one.longest_seen,
                    one.declared === undefined ? '-' : one.declared,
                    one.proof + (one.checked === false ? '*' : ''),
                    one.rendezvous ? '' : one.suggestion,
                  ],
                  { class: i === chosen ? 'selected' : false },
                )
              : null,
          )
          .filter(Boolean),
      ),
    );
    if (q) queuePage(q);
    $('bounds-figures').textContent =
      count(story.control_states, 'control state') +
      ', ' +
      count(story.transitions, 'transition') +
      ', ' +
      story.cycles +
      (story.cycles_complete ? '' : ' or more') +
      ' elementary cycles, ' +
      count(story.counterexamples, 'counterexample') +
      ', ' +
      count(story.refinements.length, 'refinement') +
      (story.refinements.length ? ' (' + story.refinements.join('; ') + ')' : '') +
      ', ' +
      count(story.states, 'state') +
      ' searched' +
      (story.search_closed ? ' (all)' : '') +
      '.' +
      (story.note ? ' Note: ' + story.note : '') +
      (story.unchecked ? ' * Not checked again: ' + story.unchecked + '.' : '');
  }
  function queuePage(q) {
    const parts = [
      el('h3', { text: 'Queue of ' + q.name }),
      el('p', {}, answer(q)),
      el('p', { class: 'argument', text: q.argument }),
    ];
    if (q.growth && q.growth.length) parts.push(...growth(q));
    if (q.cycles.length) {
      const rows = q.cycles.map((c, i) =>
        row([
          name(i),
          c.who,
          el('span', { class: 'mono', text: c.path }),
          times(c.times),
          c.effect || 'nothing on balance',
        ]),
      );
      parts.push(
        el('h4', {
          text:
            q.answer === 'unbounded' ? 'One round of the loop: who goes round what' : 'Cycles that might be combined',
        }),
        table(['Cycle', 'Who', 'Goes round', 'How often', 'Leaves behind'], rows),
      );
    }
    if (q.weights)
      parts.push(
        el('h4', { text: 'Weights' }),
        table(
          ['What', 'Sort', 'Weight'],
          q.weights.map((w) => row([w.what, w.sort, w.weight])),
        ),
      );
    if (q.more_weights)
      parts.push(
        el('p', {
          class: 'dim',
          text: 'and ' + count(q.more_weights, 'more weight') + '; parley bounds --format json has them all',
        }),
      );
    if (q.kinds && q.kinds.length > 1)
      parts.push(
        el('h4', { text: 'At most, by kind of message' }),
        table(
          ['Message', 'At most'],
          q.kinds.map((k) => row([k.kind, k.limit])),
        ),
      );
    $('queue-page').replaceChildren(...parts);
    drawings(q); // last: places of marks are measured on the page
  }
  const name = (i) => (i < 26 ? String.fromCharCode(65 + i) : 'Z' + (i - 25));
  function growth(q) {
    const rounds = q.growth[0].rounds.length - 1;
    const steps = q.growth.every((g) => g.steps),
      right = steps ? q.growth[0].steps.length - 1 : rounds;
    const curves = q.growth.map((g) => ({ name: g.queue, points: (steps ? g.steps : g.rounds).map((v, i) => [i, v]) }));
    const level = q.declared ? { name: 'declared: ' + q.declared, value: q.declared } : null;
    const grid = q.growth[0].rounds.map((v, i) => [
      (i * right) / Math.max(1, rounds),
      i === 0 ? 'start' : 'round ' + i,
    ]);
    return [
      el('h4', { text: 'Growth per round' }),
      chart(
        curves,
        right,
        grid,
        level,
        'Length of the growing queues over ' + count(rounds, 'round') + ' of the loop; the table below has the numbers',
      ),
      table(
        ['Queue of', 'At the start', ...q.growth[0].rounds.slice(1).map((v, i) => 'Round ' + (i + 1))],
        q.growth.map((g) => row([g.queue, ...g.rounds])),
      ),
    ];
  }
  // One drawing per object that takes part; edges of its cycles thick, each with the cycle's letter and how often.
  function drawings(q) {
    const byOwner = new Map();
    q.cycles.forEach((c, i) =>
      c.owners.forEach((o) => {
        if (data.owners[o] && data.owners[o].drawing !== null) byOwner.set(o, [...(byOwner.get(o) || []), i]);
      }),
    );
    for (const [o, cycles] of [...byOwner].slice(0, 8)) {
      const owner = data.owners[o];
      const label =
        owner.name +
        ': ' +
        cycles.map((i) => 'cycle ' + name(i) + ' ' + q.cycles[i].path + ' ' + times(q.cycles[i].times)).join(', ');
      const holder = el('div', { class: 'drawing scroll', role: 'img', tabindex: '0', 'aria-label': label });
      insertDrawing(holder, data.drawings[owner.drawing].svg.replace(/ id="/g, ' id="b' + o + '-'));
      $('queue-page').append(
        el('figure', {}, el('figcaption', { text: owner.name + (owner.type ? ' : ' + owner.type : '') }), holder),
      );
      const badges = new Map();
      for (const i of cycles) {
        const c = q.cycles[i];
        const ids = owner.action_ids
          ? c.actions.map((a) => owner.action_ids + a)
          : c.elements.map((e) => data.elements[e] && (data.elements[e].home || data.elements[e].id)).filter(Boolean);
        for (const id of new Set(ids))
          for (const node of holder.querySelectorAll('[id="b' + o + '-' + id + '"]')) {
            // States entered on the way are not marked, only transitions; internal ones at their state.
            if (
              !node.classList.contains('edge') &&
              !c.elements.some((e) => data.elements[e] && data.elements[e].home === id)
            )
              continue;
            badges.set(node, [...(badges.get(node) || []), name(i) + '\u00d7' + c.times]);
          }
      }
      for (const [node, texts] of badges) mark(node, texts.join(' '));
    }
    if (byOwner.size > 8)
      $('queue-page').append(
        el('p', {
          class: 'dim',
          text: 'and the machines of ' + count(byOwner.size - 8, 'more object') + ' like these',
        }),
      );
  }
  function mark(node, text) {
    node.classList.add('cycle');
    // On the edge near its source, away from its label and arrow; at the corner of a state.
    const path = node.classList.contains('edge') && node.querySelector('path');
    const box = node.getBBox();
    const at = path
      ? path.getPointAtLength(Math.min(path.getTotalLength() * 0.25, 24))
      : { x: box.x + box.width, y: box.y + 4 };
    const wide = 7 * text.length + 8;
    node.append(
      svg('rect', { class: 'badge', x: at.x - wide / 2, y: at.y - 8, width: wide, height: 16, rx: 8 }),
      svg('text', { class: 'badge', x: at.x, y: at.y + 4, 'text-anchor': 'middle' }, text),
    );
  }

  // --- input --------------------------------------------------------------------------------------------------------
  for (const kind of ['round', 'queue']) {
    $(kind + '-previous').addEventListener('click', () => choose(chosen - 1));
    $(kind + '-next').addEventListener('click', () => choose(chosen + 1));
  }
  for (const id of ['filter-variable', 'filter-queue'])
    $(id).addEventListener('input', () => {
      filter = $(id).value.toLowerCase();
      render();
    });
  return {
    show,
    open: (number) => choose(number - 1),
    key(key) {
      const move = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: Infinity }[key];
      if (!story || move === undefined) return false;
      choose(move);
      return true;
    },
  };
}
