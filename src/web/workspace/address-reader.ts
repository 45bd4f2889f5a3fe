import type { Registry } from '../../registry/commands/registry.ts';
import { consolePath, type LinkedTiles, shownBy } from './link.ts';

/** The screen that an address asks for. */
export interface ReadAddress {
  /** The path of the focused tab, without the other tiles. */
  readonly path: string;
  readonly shown: LinkedTiles;
}

/** One tile that shows a path. */
export function singleTile(href: string): LinkedTiles {
  return { root: { type: 'tile', href, isFocused: true }, isMaximised: false };
}

/** Reads addresses by the routes of the registry. */
export class AddressReader {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Whether an address leads to a screen without chrome, such as sign-in. */
  isBare(href: string): boolean {
    return this.#registry.match(href)?.command.bare === true;
  }

  /** Reads an address; undefined if it leads elsewhere. A screen without chrome is never shown in a split. */
  read(address: string): ReadAddress | undefined {
    const path = consolePath(address);
    const shown = shownBy(address);
    if (path === undefined || shown === undefined) return undefined;
    const isSplit = shown.root.type === 'split';
    return { path, shown: isSplit && this.#hasBare(shown.root) ? singleTile(path) : shown };
  }

  /** @throws Error where the address leads elsewhere */
  readOwn(address: string): ReadAddress {
    const own = this.read(address);
    if (own === undefined) throw new Error(`${address} is not a path of this console.`);
    return own;
  }

  #hasBare(node: LinkedTiles['root']): boolean {
    return node.type === 'tile'
      ? this.isBare(node.href)
      : node.children.some((child) => this.#hasBare(child));
  }
}
