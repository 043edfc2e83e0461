import { TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Suspense, startTransition, useRef, useState } from 'react';
import { lazyPart } from '../api/part.js';

const OpenedSearch = lazyPart(async () => (await import('./opened-search.js')).OpenedSearch);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** `/` and Ctrl+K open it. The code that positions its list is loaded then, while this input takes what is typed. */
export function SearchBox() {
  const [text, setText] = useState('');
  /** The text with which Enter was pressed. */
  const [entered, setEntered] = useState<string>();
  const [isUsed, setIsUsed] = useState(false);
  const box = useRef<HTMLElement>(null);
  useWindowEvent('keydown', (event) => {
    const { key, target, ctrlKey, metaKey } = event;
    const isShortcut = key === '/' ? !isTyping(target) : key.toLowerCase() === 'k' && (ctrlKey || metaKey);
    if (!isShortcut || document.querySelector('[aria-modal]') !== null) return;
    event.preventDefault();
    box.current?.querySelector('input')?.focus();
  });
  return (
    <search ref={box} style={{ flex: '0 1 16rem', minWidth: '3rem' }}>
      <Suspense>
        {isUsed ? (
          <OpenedSearch text={text} onText={setText} entered={entered} onEntered={setEntered} />
        ) : (
          <TextInput
            size="xs"
            role="combobox"
            aria-label="Search"
            aria-expanded={false}
            aria-haspopup="listbox"
            placeholder="Search ( / )"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={({ key }) => key === 'Enter' && setEntered(text.trim())}
            onFocus={() => startTransition(() => setIsUsed(true))}
          />
        )}
      </Suspense>
    </search>
  );
}
