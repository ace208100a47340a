// The script of the docs page: search over everything in it, programs of the quick start as tabs, and a button that copies each program.

const RESULTS_MAX = 30;

/** Each part of the page that a link leads to, with its title and all its words. */
function entries() {
  const parts = document.querySelectorAll('main section[id]:not(.tabs section), main h2[id], main tr[id]');
  return [...parts].map((part) => {
    const title = part.querySelector('h2, h3, th')?.textContent ?? part.textContent;
    const path = part.querySelector('.path')?.textContent ?? '';
    return { id: part.id, title, path, head: `${title} ${path}`.toLowerCase(), words: part.textContent.toLowerCase() };
  });
}

/** The parts that have every word, those with all of them in their title first. */
function find(all, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = ({ head }) => words.filter((word) => head.includes(word)).length;
  return all
    .filter((entry) => words.every((word) => entry.words.includes(word)))
    .toSorted((one, other) => rank(other) - rank(one));
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function addSearch() {
  const contents = document.getElementById('contents');
  const input = element('input', { type: 'search', id: 'query', placeholder: 'Search (press /)', autocomplete: 'off' });
  const status = element('p', { id: 'found', role: 'status' });
  const results = element('ul', { id: 'results' });
  document
    .getElementById('search')
    .append(element('label', { htmlFor: 'query', textContent: 'Search the documentation' }), input, status, results);
  let all;

  const show = () => {
    all ??= entries();
    const found = find(all, input.value);
    const isSearching = input.value.trim() !== '';
    contents.hidden = isSearching;
    status.textContent = isSearching ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : '';
    results.replaceChildren(
      ...found.slice(0, RESULTS_MAX).map(({ id, title, path }) => {
        const link = element('a', { href: `#${id}` }, title, ...(path ? [element('small', {}, path)] : []));
        return element('li', {}, link);
      }),
    );
  };

  input.addEventListener('input', show);
  document.getElementById('search').addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      input.value = '';
      show();
      input.focus();
    } else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input).focus();
    else if (event.key === 'Enter' && at === -1) links[0]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
}

/** Sections under each other become tabs: arrow keys move between them. */
function addTabs(group) {
  const panels = [...group.querySelectorAll(':scope > section')];
  const list = element('div', { role: 'tablist', ariaLabel: 'Client' });
  const tabs = panels.map((panel, at) => {
    const heading = panel.querySelector('h3');
    heading.hidden = true;
    panel.setAttribute('role', 'tabpanel');
    const tab = element('button', { type: 'button', id: `tab-${at}`, role: 'tab', textContent: heading.textContent });
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => select(at));
    return tab;
  });
  const select = (chosen) =>
    tabs.forEach((tab, at) => {
      tab.setAttribute('aria-selected', String(at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
      panels[at].hidden = at !== chosen;
    });
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    select(next);
    tabs[next].focus();
  });
  list.append(...tabs);
  group.prepend(list);
  select(0);
}

function addCopyButton(program) {
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(program.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  const frame = element('div', { className: 'program' });
  program.replaceWith(frame);
  frame.append(program, button);
}

/** A wide program or table scrolls by itself, and so must be reached by the keyboard. */
function makeReachable(part) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
}

addSearch();
document.querySelectorAll('pre').forEach(addCopyButton);
document.querySelectorAll('pre').forEach(makeReachable);
document.querySelectorAll('.tabs').forEach(addTabs);
