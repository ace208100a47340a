// The script of the docs pages: search over all of them, programs of the quick start as tabs, and a button that copies each program.

const RESULTS_MAX = 30;

let loading;

/** All parts of all pages, loaded when they are first needed. */
const load = () => (loading ??= import('/docs/entries.js'));

/** The former single page's anchors lead to the current pages. */
async function followMoved() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (location.pathname.replace(/\/$/, '') !== '/docs' || id === '' || id === 'top') return;
  const { entries, moved } = await load();
  const address = moved[id] ?? entries.find(({ href }) => href.endsWith(`#${id}`))?.href;
  if (address && address !== '/docs') location.replace(address);
}

/** The parts that contain every word; those with all words in their title come first. */
function find(all, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  // Guides come before operations, and schemas last.
  const weight = (href) => (href.startsWith('/docs/guides/') ? 1 : href.includes('#schema-') ? -2 : 0);
  const rank = ({ href, title, about, words: own }) => {
    const [head, place] = [title.toLowerCase(), about.toLowerCase()];
    const [inHead, inPlace] = [head, place].map((text) => words.filter((word) => text.includes(word)).length);
    // "voice" is in "invoices" too.
    const begun = words.filter((word) => ` ${head}`.includes(` ${word}`)).length;
    const whole = words.filter((word) => ` ${own} `.includes(` ${word} `)).length;
    return inHead * 2 + inPlace + begun + whole + weight(href);
  };
  const has = ({ title, about, words: own }, word) =>
    own.includes(word) || `${title} ${about}`.toLowerCase().includes(word);
  return all
    .filter((entry) => words.every((word) => has(entry, word)))
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

  const show = async () => {
    const { entries } = await load();
    const found = find(entries, input.value);
    const isSearching = input.value.trim() !== '';
    contents.hidden = isSearching;
    status.textContent = isSearching ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : '';
    results.replaceChildren(
      ...found.slice(0, RESULTS_MAX).map(({ href, title, about }) => {
        const link = element('a', { href }, title, element('small', {}, about));
        link.addEventListener('click', clear);
        return element('li', {}, link);
      }),
    );
  };
  // A result on the same page loads nothing.
  const clear = () => {
    input.value = '';
    void show();
  };

  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  document.getElementById('search').addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      clear();
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

/** Adjacent sections become tabs: arrow keys move between them. */
function addTabs(group) {
  const panels = [...group.querySelectorAll(':scope > section')];
  const list = element('div', { role: 'tablist', ariaLabel: 'Client' });
  const tabs = panels.map((panel, at) => {
    const heading = panel.querySelector('h3');
    heading.hidden = true;
    panel.setAttribute('role', 'tabpanel');
    const tab = element('button', {
      type: 'button',
      id: `tab-${panel.id}`,
      role: 'tab',
      textContent: heading.textContent,
    });
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

/** A wide program or table scrolls separately, so it must be reachable by keyboard. */
function makeReachable(part) {
  if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
}

/** The contents are open beside the page; on narrow screens they are folded above it. */
function foldContents() {
  const wide = matchMedia('(min-width: 48.01rem)');
  const contents = document.getElementById('contents');
  const follow = () => (contents.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
  // The current page may be far down in the list.
  const current = contents.querySelector('[aria-current]');
  if (current && current.offsetTop > contents.clientHeight / 2)
    contents.scrollTop = current.offsetTop - contents.clientHeight / 3;
}

void followMoved();
addSearch();
foldContents();
document.querySelectorAll('pre').forEach(addCopyButton);
document.querySelectorAll('pre').forEach(makeReachable);
document.querySelectorAll('.tabs').forEach(addTabs);
