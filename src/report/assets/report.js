'use strict';
/* global sequenceDiagram, storyPages, truthTable */
// The report's behaviour. Everything shown comes from the JSON in #data; text is only ever set as text, never as
// markup. The one thing inserted as markup is SVG that Graphviz made from escaped DOT.
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const $ = (id) => document.getElementById(id);
  const el = (name, attributes, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === 'text') node.textContent = value;
      else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const svg = (name, attributes, text) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  // The only markup: SVG that Graphviz made from escaped DOT, never text of the model.
  const insertDrawing = (holder, markup) => {
    holder.innerHTML = markup; // eslint-disable-line no-restricted-syntax
  };
  const signs = { holds: '\u2713', violated: '\u2717', unknown: '?' };
  const short = (text, n) => (text.length > n ? text.slice(0, n - 1) + '\u2026' : text);

  let current = -1; // property shown
  let step = 0; // 0: the start, k: after step k
  let round = 0; // how often the loop was gone through before
  const hidden = new Set();
  let signalFilter = '';
  let attributeFilter = '';
  let shownObject = 0;
  const drawn = new Map(); // drawing index -> element, inserted once and moved

  // --- summary ------------------------------------------------------------------------------------------------
  function summary() {
    const body = el('tbody'),
      notes = []; // assumptions, each told once below the table
    data.results.forEach((r, i) => {
      const what = el(
        'td',
        {},
        el('button', { type: 'button', class: 'link', text: r.property, onclick: () => show(i, 0, true) }),
      );
      if (r.reason) what.append(el('div', { text: r.reason }));
      for (const text of r.notes || []) what.append(el('div', { class: 'note', text }));
      for (const text of r.lemmas || [])
        what.append(el('div', { class: 'assumption', text: 'proved on the way: ' + text }));
      const marks = r.assumptions.map((a) => {
        if (!notes.includes(a.text)) notes.push(a.text);
        return '[' + (notes.indexOf(a.text) + 1) + ']';
      });
      if (marks.length) what.append(el('div', { class: 'assumption', text: 'assuming ' + marks.join(' ') }));
      body.append(
        el(
          'tr',
          { id: 'result-' + (i + 1) },
          el('td', {}, el('span', { class: 'verdict ' + r.verdict, 'data-sign': signs[r.verdict], text: r.verdict })),
          what,
          el('td', { text: r.engine }),
          el('td', { text: figures(r) }),
        ),
      );
    });
    $('summary').replaceChildren(
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el('tr', {}, ...['Verdict', 'Property', 'Engine', 'Covered'].map((t) => el('th', { scope: 'col', text: t }))),
        ),
        body,
      ),
      ...notes.map((text, i) => el('p', { class: 'assumption note', text: '[' + (i + 1) + '] assuming that ' + text })),
    );
  }
  function figures(r) {
    const parts = [];
    if (r.coverage.states !== undefined) parts.push(r.coverage.states.toLocaleString('en') + ' states');
    if (r.coverage.bound !== undefined) parts.push('bound ' + r.coverage.bound);
    if (r.narration) parts.push(length(r.narration));
    return parts.join(', ');
  }

  // Of a run that repeats: stem + loop.
  function length(n) {
    const steps = n.steps.length;
    if (n.loop_start === undefined) return steps + ' steps';
    if (n.loop_start >= steps) return steps + ' steps to the end';
    return n.loop_start + ' + ' + (steps - n.loop_start) + ' steps';
  }

  // --- one property -------------------------------------------------------------------------------------------
  function show(index, at, focus) {
    current = index;
    const r = data.results[index];
    document.querySelectorAll('#summary tr.selected').forEach((row) => row.classList.remove('selected'));
    $('result-' + (index + 1)).classList.add('selected');
    const detail = [
      el(
        'p',
        {},
        el('span', { class: 'verdict ' + r.verdict, 'data-sign': signs[r.verdict], text: r.verdict }),
        ' ',
        el('strong', { text: r.property }),
      ),
    ];
    if (r.reason)
      detail.push(
        el('p', {
          text:
            r.reason +
            (r.reason_place && r.reason_place.file ? ' (' + r.reason_place.file + ':' + r.reason_place.line + ')' : ''),
        }),
      );
    if (r.notes) detail.push(el('ul', { class: 'notes' }, ...r.notes.map((text) => el('li', { text }))));
    if (r.found_in_steps !== undefined)
      detail.push(
        el('p', { class: 'dim', text: 'Found in ' + r.found_in_steps + ' symbolic steps, shown as ordinary steps.' }),
      );
    if (r.assumptions.length)
      detail.push(
        el('ul', { class: 'assumption' }, ...r.assumptions.map((a) => el('li', { text: 'assuming that ' + a.text }))),
      );
    if (r.unreached)
      detail.push(
        el(
          'ul',
          {},
          ...r.unreached.map((u) => el('li', { text: u.name + (u.place.line ? ' (line ' + u.place.line + ')' : '') })),
        ),
      );
    if (!r.narration)
      detail.push(
        el('p', {
          class: 'dim',
          text:
            r.verdict === 'holds'
              ? 'Proved by ' + r.engine + ' (' + r.certificate + '; checked: ' + r.checked + ').'
              : 'There is no run to show.',
        }),
      );
    $('detail').replaceChildren(...detail);
    $('player').hidden = !r.narration;
    stories.show(r.story);
    if (r.narration) {
      $('slider').max = r.narration.steps.length;
      filters(r.narration);
      diagram.draw(r.narration);
      truth.show(r.truth);
      go(Math.min(at, r.narration.steps.length));
    } else {
      location.replace('#p' + (index + 1));
    }
    if (focus) $('details').focus({ preventScroll: false });
  }

  // The first step of a loop that closes on the same state; 0 if there is none. A queue that grows for ever has a loop,
  // but is longer after each round.
  function loopEntry() {
    const r = data.results[current],
      n = r.narration;
    const closes = n.loop_start < n.steps.length && !(r.story && r.story.without_capacities);
    return closes ? n.loop_start + 1 : 0;
  }
  // One step on; after the last step of a loop comes its first.
  function forward() {
    const last = data.results[current].narration.steps.length;
    if (step === last && loopEntry()) go(loopEntry(), round + 1);
    else go(step + 1, round);
  }
  function backward() {
    const last = data.results[current].narration.steps.length;
    if (round > 0 && step === loopEntry()) go(last, round - 1);
    else go(step - 1, round);
  }

  function go(at, rounds) {
    const n = data.results[current].narration;
    step = Math.max(0, Math.min(at, n.steps.length));
    round = rounds || 0;
    $('slider').value = step;
    $('position').textContent = 'step ' + step + ' of ' + n.steps.length + (round ? ', round ' + (round + 1) : '');
    $('story').textContent = story(n, step);
    const acting = step > 0 ? data.owners.findIndex((o) => o.name === n.steps[step - 1].owner) : -1;
    if (acting >= 0 && data.owners[acting].drawing !== null) shownObject = acting;
    diagram.highlight(step);
    truth.highlight(step);
    machine(n);
    values(n);
    queues(n);
    source(n);
    history.replaceState(null, '', '#p' + (current + 1) + 's' + step);
  }

  function story(n, at) {
    if (at === 0) {
      const sent = n.sent_at_start.map((m) => n.messages[m - 1].text + ' is sent to ' + n.messages[m - 1].queue);
      return (sent.length ? 'Start: ' + sent.join(', ') : 'Start') + '.' + whatFollows(n, at);
    }
    const s = n.steps[at - 1];
    const parts = [at + '. ' + s.owner + (s.partner ? ' with ' + s.partner : '') + ': ' + s.action + '.'];
    for (const m of s.received)
      if (m)
        parts.push(
          (n.messages[m - 1].discarded ? 'Discards ' : 'Takes ') +
            n.messages[m - 1].text +
            ' #' +
            m +
            (n.messages[m - 1].sender ? ' from ' + n.messages[m - 1].sender : '') +
            '.',
        );
    for (const m of s.sent)
      parts.push(
        'Sends ' +
          n.messages[m - 1].text +
          ' #' +
          m +
          ' to ' +
          n.messages[m - 1].queue +
          (n.messages[m - 1].lost ? ', which is full: lost' : '') +
          '.',
      );
    for (const text of s.printed || []) parts.push('Prints ' + text);
    if (s.failure)
      parts.push((s.failure.message.startsWith(s.outcome) ? '' : s.outcome + ': ') + s.failure.message + '.');
    return parts.join(' ') + whatFollows(n, at);
  }
  function whatFollows(n, at) {
    const last = n.steps.length;
    if (n.loop_start === undefined) return '';
    if (n.loop_start === last) return at === last ? ' Here the run ends: nobody can move any more.' : '';
    if (n.loop_start === at) return ' From here on it repeats for ever.';
    return at === last ? ' Then step ' + (n.loop_start + 1) + ' again, for ever.' : '';
  }

  // --- the other views ----------------------------------------------------------------------------------------
  function filters(n) {
    const names = diagram.participants(n);
    const set = $('filter-objects');
    set.replaceChildren(
      el('legend', { text: 'Objects' }),
      ...names.map((name) => {
        const box = el('input', {
          type: 'checkbox',
          onchange: () => {
            if (box.checked) hidden.delete(name);
            else hidden.add(name);
            diagram.draw(n);
            go(step);
          },
        });
        box.checked = !hidden.has(name);
        return el('label', {}, box, ' ' + short(name, 40));
      }),
    );
    const select = $('machine-object');
    select.replaceChildren(
      ...data.owners
        .map((o, i) => (o.drawing === null ? null : el('option', { value: i, text: short(o.name, 60) })))
        .filter(Boolean),
    );
  }
  function drawing(index) {
    if (!drawn.has(index)) {
      const holder = el('div', { class: 'drawing' });
      insertDrawing(holder, data.drawings[index].svg);
      drawn.set(index, holder);
    }
    return drawn.get(index);
  }
  function machine(n) {
    const owner = data.owners[shownObject];
    $('machine').parentElement.hidden = !owner || owner.drawing === null;
    if (!owner || owner.drawing === null) return;
    $('machine-object').value = shownObject;
    const holder = drawing(owner.drawing);
    holder.querySelectorAll('.active, .fired').forEach((node) => node.classList.remove('active', 'fired'));
    const state = n.states[Math.min(step, n.states.length - 1)];
    const names = [];
    for (const place of owner.locations) {
      const id = place.values[state.codes[place.cell]];
      if (!id) continue;
      const node = holder.querySelector('[id="' + id + '"]');
      if (node) node.classList.add('active');
      names.push(state.values[place.cell]);
    }
    if (step > 0 && n.steps[step - 1].owner === owner.name)
      for (const e of n.steps[step - 1].elements) {
        const element = data.elements[e];
        const node = element && element.id && holder.querySelector('[id="' + (element.home || element.id) + '"]');
        if (node && (element.home || node.classList.contains('edge'))) node.classList.add('fired');
      }
    if ($('machine').firstChild !== holder) $('machine').replaceChildren(holder);
    // A machine that would be shrunk until nobody can read it gets the whole width.
    const picture = holder.querySelector('svg');
    $('machine').parentElement.classList.toggle('wide', Boolean(picture) && picture.viewBox.baseVal.width > 420);
    holder.setAttribute('role', 'img');
    holder.setAttribute('aria-label', 'State machine of ' + owner.name + ', active: ' + names.join(', '));
  }
  function values(n) {
    const state = n.states[Math.min(step, n.states.length - 1)],
      before = n.states[Math.max(0, Math.min(step, n.states.length - 1) - 1)];
    const body = el('tbody');
    data.cells.forEach((c, i) => {
      if (c.role === 'bookkeeping' || hidden.has(c.owner)) return;
      if (attributeFilter !== '' && !c.name.toLowerCase().includes(attributeFilter)) return;
      const changed = step > 0 && step < n.states.length && state.codes[i] !== before.codes[i];
      body.append(
        el(
          'tr',
          { class: changed ? 'changed' : false },
          el('td', { text: c.name }),
          el('td', { class: 'mono', text: state.values[i] + (changed ? ' (was ' + before.values[i] + ')' : '') }),
        ),
      );
    });
    $('values').replaceChildren(
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el('tr', {}, el('th', { scope: 'col', text: 'Name' }), el('th', { scope: 'col', text: 'Value' })),
        ),
        body,
      ),
    );
  }
  function queues(n) {
    const contents = n.states[Math.min(step, n.states.length - 1)].queues;
    const body = el('tbody');
    data.queues.forEach((q, i) => {
      if (hidden.has(q.name)) return;
      const cell = el('td');
      for (const m of contents[i])
        if (signalFilter === '' || n.messages[m - 1].signal.toLowerCase().includes(signalFilter))
          cell.append(el('span', { class: 'message', text: n.messages[m - 1].text + ' #' + m }));
      if (!contents[i].length) cell.append(el('span', { class: 'dim', text: 'empty' }));
      const fill =
        data.results[current].story && data.results[current].story.without_capacities
          ? contents[i].length
          : contents[i].length + '/' + q.capacity;
      body.append(el('tr', {}, el('td', { text: q.name }), el('td', { text: fill }), cell));
    });
    $('queues').replaceChildren(
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el('tr', {}, ...['Queue of', 'Fill', 'Messages, next first'].map((t) => el('th', { scope: 'col', text: t }))),
        ),
        body,
      ),
    );
  }
  function source(n) {
    const place =
      step > 0
        ? n.steps[step - 1].failure && n.steps[step - 1].failure.place.file
          ? n.steps[step - 1].failure.place
          : n.steps[step - 1].place
        : null;
    const file = place && place.file && data.sources.find((s) => s.name === place.file);
    if (!file) {
      $('source').replaceChildren(
        el('p', { class: 'dim', text: step > 0 ? 'This step has no place in a text.' : 'The start.' }),
      );
      return;
    }
    const lines = file.text.split('\n'),
      from = Math.max(0, place.line - 8),
      pre = el('pre', { class: 'source' });
    for (let i = from; i < Math.min(lines.length, place.line + 7); i++) {
      const text = String(i + 1).padStart(5) + '  ' + lines[i];
      pre.append(i + 1 === place.line ? el('span', { class: 'at', text }) : text + '\n');
    }
    $('source').replaceChildren(el('p', { class: 'dim', text: file.name + ':' + place.line }), pre);
  }

  // --- coverage, structure ------------------------------------------------------------------------------
  function extras() {
    const dead = data.elements.filter((e) => e.unreached);
    if (dead.length) {
      $('coverage').hidden = false;
      const parts = [
        el('p', {
          class: 'dim',
          text: 'Every situation that the assumptions allow was visited, and these were never met. On the drawings they are dashed and crossed out.',
        }),
        el('ul', {}, ...dead.map((e) => el('li', { text: e.name + (e.line ? ' (line ' + e.line + ')' : '') }))),
      ];
      // Where each is drawn: a state or transition, a line of its state's label, or the actions that execute a statement.
      const places = dead.flatMap((e) =>
        e.edges ? e.edges : e.id ? [{ drawing: e.drawing, id: e.home || e.id, line: e.home && e.label }] : [],
      );
      for (const d of new Set(places.map((p) => p.drawing).filter((one) => one !== null && one !== undefined))) {
        const holder = el('div', {
          class: 'drawing scroll',
          role: 'img',
          tabindex: '0',
          'aria-label': data.drawings[d].title + ', with what was never reached crossed out',
        });
        // A second copy of the drawing: its ids get a prefix so that they stay unique on the page.
        insertDrawing(holder, data.drawings[d].svg.replace(/ id="/g, ' id="u-'));
        for (const p of places.filter((place) => place.drawing === d))
          for (const node of holder.querySelectorAll('[id="u-' + p.id + '"]')) {
            if (!p.line) node.classList.add('unreached');
            else
              [...node.querySelectorAll('text')]
                .filter((t) => t.textContent === p.line)
                .forEach((t) => t.classList.add('dead'));
          }
        parts.push(el('h3', { text: data.drawings[d].title }), holder);
      }
      $('coverage-body').replaceChildren(...parts);
    }
    if (data.structure) {
      $('structure').hidden = false;
      const holder = el('div', { class: 'drawing', role: 'img', 'aria-label': 'Structure of the system' });
      insertDrawing(holder, data.structure);
      $('structure-body').replaceChildren(holder);
    }
  }

  // --- input ----------------------------------------------------------------------------------------------------
  $('slider').addEventListener('input', () => go(Number($('slider').value)));
  $('first').addEventListener('click', () => go(0));
  $('previous').addEventListener('click', backward);
  $('next').addEventListener('click', forward);
  $('last').addEventListener('click', () => go(Infinity));
  $('machine-object').addEventListener('change', () => {
    shownObject = Number($('machine-object').value);
    machine(data.results[current].narration);
  });
  $('filter-signal').addEventListener('input', () => {
    signalFilter = $('filter-signal').value.toLowerCase();
    diagram.draw(data.results[current].narration);
    go(step);
  });
  $('filter-attribute').addEventListener('input', () => {
    attributeFilter = $('filter-attribute').value.toLowerCase();
    values(data.results[current].narration);
  });
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
      return;
    // The keys belong to the rounds or queues while the focus is there, or where there is no run to step through.
    if (event.target.closest('#rounds, #bounds') || $('player').hidden) {
      if (stories.key(event.key)) event.preventDefault();
      return;
    }
    const move = { ArrowLeft: backward, ArrowRight: forward, Home: () => go(0), End: () => go(Infinity) }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  });
  function fromFragment() {
    // #p2s7: step 7 of property 2; #p2r3: round 3 of its refinement; #p2q1: its first queue.
    const found = /^#p(\d+)(?:([a-z])(\d+))?$/.exec(location.hash);
    if (!found) return false;
    const index = Number(found[1]) - 1,
      number = Number(found[3] || 0);
    if (!data.results[index]) return false;
    const at = found[2] === 's' || found[2] === undefined ? number : 0;
    if (index !== current || at !== step) show(index, at, false);
    if (found[2] && found[2] !== 's') stories.open(number);
    return true;
  }
  window.addEventListener('hashchange', fromFragment);

  const diagram = sequenceDiagram({ data, $, svg, short, hidden, signalFilter: () => signalFilter, go });
  const truth = truthTable({ $, el, short, go });
  const stories = storyPages({
    data,
    $,
    el,
    svg,
    insertDrawing,
    short,
    signs,
    fragment: (text) => history.replaceState(null, '', '#p' + (current + 1) + text),
  });
  summary();
  extras();
  if (!fromFragment()) {
    const first = data.results.findIndex((r) => r.verdict === 'violated' && r.narration);
    if (data.results.length) show(first >= 0 ? first : 0, 0, false);
  }
})();
