import './work.css';
import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';

/** The tabs of a page in one line, which scrolls on a phone so that the chosen one is seen. */
export function TabsLine({
  label,
  chosen,
  tabs,
  ...space
}: {
  label: string;
  chosen: string;
  tabs: { value: string; label: string }[];
  mb?: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]');
    if (!list.current || !tab) return;
    // Within the line alone: the page itself stays where it is.
    const [line, own] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    list.current.scrollLeft += own.left + own.width / 2 - (line.left + line.width / 2);
  }, [chosen]);
  return (
    <Tabs.List ref={list} aria-label={label} className="tabs-line" {...space}>
      {tabs.map(({ value, label: name }) => (
        <Tabs.Tab key={value} value={value}>
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
