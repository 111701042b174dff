import { signal, type ReadonlySignal } from '@preact/signals';

/** A switch that this browser remembers. Where it blocks storage, the switch lasts until the page is closed. */
export interface BrowserSetting {
  readonly isOn: ReadonlySignal<boolean>;
  readonly turn: (isOn: boolean) => void;
}

function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The switch that is stored under a name, or else its default. */
export function browserSetting(name: string, byDefault: 'on' | 'off'): BrowserSetting {
  const isOn = signal((storedText(name) ?? byDefault) === 'on');
  const turn = (next: boolean): void => {
    isOn.value = next;
    try {
      localStorage.setItem(name, next ? 'on' : 'off');
    } catch {
      // Not remembered, but set on this page.
    }
  };
  return { isOn, turn };
}
