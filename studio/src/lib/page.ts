// What a page says of itself. Each folder of pages/ has a page.ts with one of these; nothing else lists the pages.
import type { Component } from 'svelte';

export interface PageSpec {
  /** `/runs/:run`. Several: the same page. */
  readonly paths: readonly string[];
  /** Of the browser tab and of the command palette. */
  readonly title: string;
  /** In the rail on the left. Default: it is not there. */
  readonly nav?: {
    /** `g` and this letter lead here. */
    readonly letter: string;
    /** The smallest first. */
    readonly order: number;
    /** One path of a 16 × 16 picture, drawn with a line. */
    readonly icon: string;
  };
  /** The code of the page, when it is first opened. */
  readonly load: () => Promise<{ readonly default: Component<PageProps> | Component }>;
}

export interface PageProps {
  /** What stands for the names in the path. */
  readonly params: { readonly [name: string]: string };
}
