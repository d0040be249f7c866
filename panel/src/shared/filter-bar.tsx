// Search and filters of a list, and how many entries they leave.
import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import classes from './filter-bar.module.css';
import { SentSearches } from './sent-searches.ts';

interface FilterBarProps {
  /** The three belong together; lists that the platform cannot search have none. */
  search?: string;
  onSearch?: (search: string) => void;
  placeholder?: string;
  /** Selects and switches. */
  children?: ReactNode;
  /** How many entries are shown, in words. */
  count?: ReactNode;
}

/** How long typing pauses before the address changes. */
const pauseMs = 180;

export function FilterBar({ search, onSearch, placeholder = '', children, count }: FilterBarProps) {
  return (
    <div className={classes.bar} role="search">
      {search !== undefined && onSearch !== undefined && (
        <SearchField search={search} onSearch={onSearch} placeholder={placeholder} />
      )}
      {children}
      {count !== undefined && (
        <span className={classes.count} role="status">
          {count}
        </span>
      )}
    </div>
  );
}

function SearchField({
  search,
  onSearch,
  placeholder,
}: Required<Pick<FilterBarProps, 'search' | 'onSearch' | 'placeholder'>>) {
  const [text, setText] = useState(search);
  const [sent] = useState(() => new SentSearches());
  const shown = useRef(search);
  useEffect(() => {
    if (search === shown.current) return;
    shown.current = search;
    // The back button changes the search, too; what was typed here may have continued since.
    if (!sent.arrive(search)) setText(search);
  }, [search, sent]);
  useEffect(() => {
    if (text === search || text === sent.latest) return undefined;
    const timer = setTimeout(() => {
      sent.send(text);
      onSearch(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, search, onSearch, sent]);
  return (
    <TextInput
      type="search"
      className={classes.search ?? ''}
      aria-label={placeholder}
      placeholder={placeholder}
      leftSection={<Search size={16} aria-hidden="true" />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
