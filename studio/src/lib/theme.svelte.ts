// Light, dark, or as the system has it.
import { kept } from './kept.svelte.ts';

export type Theme = 'system' | 'light' | 'dark';

const chosen = kept<Theme>('theme', 'system');

export const theme = {
  get chosen(): Theme {
    return chosen.value;
  },
  set(next: Theme): void {
    chosen.value = next;
    apply();
  },
};

const dark = matchMedia('(prefers-color-scheme: dark)');

export function startTheme(): void {
  apply();
  dark.addEventListener('change', apply);
}

function apply(): void {
  const { value } = chosen;
  document.documentElement.dataset['theme'] = value === 'system' ? (dark.matches ? 'dark' : 'light') : value;
}
