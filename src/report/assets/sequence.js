'use strict';
// The sequence diagram of a run: a lifeline per object, a row per step and per message, a bar for how long a message
// waited. report.js says what is hidden and which step is shown; as there, everything is set as text.
/* exported sequenceDiagram */
function sequenceDiagram({ data, $, svg, short, hidden, signalFilter, go }) {
  const rowHeight = 22,
    top = 34,
    left = 46;
  let rows = [];
  function draw(n) {
    const names = participants(n);
    const visible = names.filter((name) => !hidden.has(name));
    const wide = Math.max(110, Math.min(260, 1150 / Math.max(1, visible.length)));
    const width = left + visible.length * wide + 130; // room for the last object's labels
    const x = new Map(visible.map((name, i) => [name, left + wide / 2 + i * wide]));
    // One row for the start, one per step and one more per message sent in it.
    let y = top;
    rows = [];
    const place = [];
    for (let i = 0; i <= n.steps.length; i++) {
      const sent = i === 0 ? n.sent_at_start : n.steps[i - 1].sent;
      place.push(y + rowHeight / 2);
      const height = rowHeight * (1 + sent.length);
      rows.push({ y, height });
      y += height;
    }
    const root = svg('svg', {
      class: 'seq',
      width,
      height: y + 24,
      role: 'img',
      'aria-label': 'Sequence diagram of ' + n.steps.length + ' steps; the story above tells the current step',
    });
    const back = svg('g', {}),
      front = svg('g', {});
    root.append(back, front);
    for (const name of visible) {
      front.append(svg('line', { class: 'life', x1: x.get(name), x2: x.get(name), y1: 22, y2: y + 8 }));
      const head = svg(
        'text',
        { class: 'head', x: x.get(name), y: 15, 'text-anchor': 'middle' },
        short(name, Math.floor(wide / 7)),
      );
      head.append(svg('title', {}, name));
      front.append(head);
    }
    const matches = (text) => signalFilter() === '' || text.toLowerCase().includes(signalFilter());
    for (let i = 0; i <= n.steps.length; i++) {
      const row = svg('rect', { class: 'row', x: 0, y: rows[i].y, width, height: rows[i].height });
      row.addEventListener('click', () => go(i));
      back.append(row);
      rows[i].rect = row;
      rows[i].group = svg('g', {});
      front.append(rows[i].group);
      const g = rows[i].group;
      g.append(svg('text', { x: 4, y: place[i] + 4 }, String(i)));
      const sent = i === 0 ? n.sent_at_start : n.steps[i - 1].sent;
      if (i > 0) {
        const s = n.steps[i - 1];
        if (x.has(s.owner)) {
          const at = x.get(s.owner);
          const taken = s.received.filter((m) => m && matches(n.messages[m - 1].signal));
          if (s.kind === 'discard')
            g.append(svg('path', { class: 'discard', d: `M${at - 5},${place[i] - 5}l10,10m0,-10l-10,10` }));
          else g.append(svg('circle', { class: 'dot', cx: at, cy: place[i], r: 3.5 }));
          const label =
            taken
              .map(
                (m) =>
                  (n.messages[m - 1].discarded ? 'discards ' : 'takes ') + short(n.messages[m - 1].text, 22) + ' #' + m,
              )
              .join(', ') || (s.received.length ? '' : short(s.action, Math.floor(wide / 7)));
          g.append(svg('text', { x: at + 8, y: place[i] + 4 }, label));
          if (s.partner && x.has(s.partner))
            g.append(svg('line', { class: 'msg', x1: at, x2: x.get(s.partner), y1: place[i], y2: place[i] }));
          if (s.failure)
            g.append(
              svg('text', { class: 'failed', x: at + 8, y: place[i] + 16 }, '! ' + short(s.failure.message, 60)),
            );
        }
      }
      sent.forEach((number, k) => {
        const m = n.messages[number - 1];
        if (!matches(m.signal)) return;
        const line = place[i] + rowHeight * (k + 1);
        const from = x.get(m.sender),
          to = x.get(m.receiver || (m.taken_at ? n.steps[m.taken_at - 1].owner : ''));
        const label = short(m.text, 26) + ' #' + number + (m.lost ? ' (lost)' : m.deferred ? ' (deferred)' : '');
        const title = svg(
          'title',
          {},
          m.text +
            ' #' +
            number +
            ': ' +
            (m.sender || 'start') +
            ' to ' +
            (m.receiver || m.queue) +
            (m.taken_at ? ', taken in step ' + m.taken_at : m.lost ? ', lost' : ', still waiting at the end'),
        );
        const group = svg('g', {});
        group.append(title);
        if (from !== undefined && to !== undefined && from !== to) {
          const way = to > from ? 1 : -1;
          group.append(
            svg('line', { class: 'msg' + (m.lost ? ' lost' : ''), x1: from, x2: to - way * 4, y1: line, y2: line }),
          );
          group.append(
            svg('path', {
              class: 'msg',
              d: `M${to - way * 9},${line - 4}L${to - way * 2},${line}L${to - way * 9},${line + 4}`,
            }),
          );
          group.append(svg('text', { x: (from + to) / 2, y: line - 4, 'text-anchor': 'middle' }, label));
        } else {
          const at = to !== undefined ? to : from;
          if (at === undefined) return;
          group.append(svg('text', { x: at + 8, y: line + 4 }, (to !== undefined ? '\u2190 ' : '\u2192 ') + label));
        }
        g.append(group);
        // A thin bar on the receiver's lifeline from arrival to receipt: how long the message waited.
        if (to !== undefined && !m.lost) {
          const until = m.taken_at ? place[m.taken_at] : y;
          if (until - line > rowHeight * 1.5)
            back.append(
              svg('line', {
                class: 'wait',
                x1: to + (number % 5) * 4 + 5,
                x2: to + (number % 5) * 4 + 5,
                y1: line,
                y2: until,
              }),
            );
        }
      });
    }
    if (n.loop_start === n.steps.length) markEnd(y, width, front);
    else if (n.loop_start !== undefined) markLoop(rows[n.loop_start + 1].y, y, n.loop_start + 1, width, back, front);
    $('sequence').replaceChildren(root);
  }
  // A band behind the steps that repeat, and an arrow from the last of them back to the first.
  function markLoop(from, to, first, width, back, front) {
    back.prepend(svg('rect', { class: 'band', x: 30, y: from, width: width - 30, height: to - from }));
    const arrow = svg('path', {
      class: 'repeats',
      d: `M42,${to - 7}H33V${from + rowHeight / 2}H42m-5,-4l5,4l-5,4`,
    });
    arrow.append(svg('title', {}, 'these steps repeat for ever'));
    front.append(
      arrow,
      svg('text', { class: 'loop-note', x: 46, y: to + 13 }, '\u21b0 back to step ' + first + ', for ever'),
    );
  }
  // A double line across all lifelines: nobody can move any more.
  function markEnd(y, width, front) {
    front.append(
      svg('path', { class: 'ended', d: `M${left},${y + 1}H${width - 20}m0,4H${left}` }),
      svg('text', { class: 'loop-note', x: left, y: y + 18 }, 'the run ends: nobody can move'),
    );
  }
  function participants(n) {
    const used = new Set();
    for (const s of n.steps) {
      used.add(s.owner);
      if (s.partner) used.add(s.partner);
    }
    for (const m of n.messages) {
      if (m.sender) used.add(m.sender);
      if (m.receiver) used.add(m.receiver);
    }
    return data.owners.map((o) => o.name).filter((name) => used.has(name));
  }
  function highlight(step) {
    rows.forEach((row, i) => {
      row.rect.classList.toggle('now', i === step);
      row.group.classList.toggle('future', i > step);
    });
    const box = $('sequence'),
      row = rows[step];
    if (row.y < box.scrollTop + 20 || row.y + row.height > box.scrollTop + box.clientHeight)
      box.scrollTop = row.y - box.clientHeight / 2;
  }
  return { draw, participants, highlight };
}
