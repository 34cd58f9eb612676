'use strict';
// The truth of a temporal property's sub-formulas along a run: a row for each, a column for each position. Position i is
// what step i led to, so a click on a column goes to that step. Long runs are shown around the current position.
/* exported truthTable */
function truthTable({ $, el, short, go }) {
  const mostColumns = 120;
  let table = null; // the JSON of the run shown
  let from = 0; // first column shown
  let columns = []; // the cells of each column shown

  const count = () => Math.min(table.positions, mostColumns);
  const isAfterEnd = (position) => table.ends && position >= table.loop_from;
  // The columns after the end show the last step for ever.
  const stepOf = (position) => (isAfterEnd(position) ? position - 1 : position);

  function show(truth) {
    table = truth || null;
    $('truth').hidden = !table;
    if (table) draw(0);
  }

  function kindOf(position) {
    return (
      (position >= table.loop_from ? ' loop' : '') +
      (position === table.loop_from && position > from ? ' loop-start' : '')
    );
  }

  function head() {
    const row = el('tr', {}, el('th', { scope: 'col', text: 'Position' }));
    columns.forEach((cells, i) => {
      const position = from + i;
      const name = isAfterEnd(position) ? 'end' : String(position);
      const button = el('button', {
        type: 'button',
        class: 'link',
        text: name,
        title: isAfterEnd(position) ? 'after the end, for ever' : 'go to step ' + position,
        onclick: () => go(stepOf(position)),
      });
      cells.push(el('th', { scope: 'col', class: kindOf(position) }, button));
      row.append(cells[0]);
    });
    return row;
  }

  function body(row, className) {
    const line = el('tr', { class: className }, el('th', { scope: 'row', title: row.text, text: short(row.text, 70) }));
    columns.forEach((cells, i) => {
      const position = from + i;
      const holds = row.at[position] === '1';
      const cell = el('td', {
        class: (holds ? 'true' : 'false') + kindOf(position),
        text: holds ? '\u2713' : '\u00b7',
        title: (holds ? 'true' : 'false') + ' at position ' + position,
        onclick: () => go(stepOf(position)),
      });
      cells.push(cell);
      line.append(cell);
    });
    return line;
  }

  function draw(first) {
    from = first;
    columns = Array.from({ length: count() }, () => []);
    const rows = el('tbody');
    const header = head();
    for (const row of table.propositions) rows.append(body(row, 'proposition'));
    for (const row of table.subformulas) rows.append(body(row, 'subformula'));
    $('truth-rows').replaceChildren(el('table', { class: 'truth' }, el('thead', {}, header), rows));
    $('truth-note').textContent =
      (table.ends
        ? table.loop_from < table.positions
          ? 'Behind the bar: the end, which lasts for ever.'
          : 'The run ends after the last position.'
        : 'Behind the bar: what repeats for ever.') +
      (count() < table.positions ? ' The columns move with the step; there are ' + table.positions + '.' : '') +
      (table.left_out ? ' ' + table.left_out + ' inner sub-formulas are not shown.' : '');
  }

  function highlight(step) {
    if (!table) return;
    if (step < from || step >= from + count())
      draw(Math.max(0, Math.min(step - Math.floor(count() / 2), table.positions - count())));
    columns.forEach((cells, i) => {
      const now = from + i === step;
      cells.forEach((cell) => cell.classList.toggle('now', now));
      const button = cells[0].firstChild;
      if (now) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    const box = $('truth-rows'),
      cell = columns[step - from][0],
      names = box.querySelector('th').offsetWidth;
    if (
      cell.offsetLeft - names < box.scrollLeft ||
      cell.offsetLeft + cell.offsetWidth > box.scrollLeft + box.clientWidth
    )
      box.scrollLeft = cell.offsetLeft - names - (box.clientWidth - names) / 2;
  }
  return { show, highlight };
}
