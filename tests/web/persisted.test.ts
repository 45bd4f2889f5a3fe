import { describe, expect, test, vi } from 'vitest';
import { readChosen, storeChosen } from '../../src/web/workspace/numbered.ts';
import { createAppearance, showsMore, withMoreToggled } from '../../src/web/core/state/appearance.ts';
import { createColumnChoices } from '../../src/web/core/state/columns.ts';
import { columnsKey } from '../../src/web/core/state/columns-key.ts';
import { createRecents, readRecents, storeRecents } from '../../src/web/core/state/recents.ts';

/** The storage of one browser, shared by the keepers of its pages. */
function browser() {
  const texts = new Map<string, string>();
  const pages: ((event: StorageEvent) => void)[] = [];
  const unkept: string[] = [];
  let room = Number.POSITIVE_INFINITY;
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > room) throw new DOMException('No room.', 'QuotaExceededError');
      texts.set(key, text);
    },
    removeItem: (key: string) => texts.delete(key),
  };
  return {
    texts,
    unkept,
    fill: () => (room = 0),
    /** A page of this browser. */
    page: () => ({
      storage,
      changes: {
        addEventListener: (_type: string, listener: unknown) =>
          pages.push(listener as (event: StorageEvent) => void),
      },
      onUnkept: (key: string) => unkept.push(key),
    }),
    /** Tells every page what another one stored. */
    tell: (key: string | null) =>
      pages.forEach((page) =>
        page({
          key,
          newValue: key === null ? null : (texts.get(key) ?? null),
          storageArea: storage,
        } as unknown as StorageEvent),
      ),
  };
}

const key = 'wheelhouse.appearance';

describe('state that is kept in the browser', () => {
  test('is stored with its version at each change, and begins with what was stored', () => {
    const { page, texts } = browser();
    createAppearance(page()).update((value) => ({ ...value, theme: 'dark' }));
    expect(texts.get(key)).toBe('{"version":1,"theme":"dark"}');
    expect(createAppearance(page()).get().theme).toBe('dark');
    createColumnChoices(page()).set({ pod: { isWide: true, columns: { age: false } } });
    expect(createColumnChoices(page()).get().pod).toEqual({ isWide: true, columns: { age: false } });
    expect([...texts.keys()]).toEqual([key, columnsKey]);
  });

  test.each(['{', '[]', 'null', '7', '{"version":2,"theme":"dark"}', '{"theme":"dark"}'])(
    'is the default where %s is stored',
    (text) => {
      const { page, texts } = browser();
      texts.set(key, text);
      expect(createAppearance(page()).get()).toEqual({ theme: 'system', isSidebarOpen: undefined });
    },
  );

  test('follows what another page stores, and keeps what is of this page alone', () => {
    const { page, texts, tell } = browser();
    const [here, there] = [createAppearance(page()), createAppearance(page())];
    here.update((value) => ({ ...value, isSidebarOpen: false, tabLeaves: true }));
    there.update((value) => ({ ...value, theme: 'light' }));
    const heard = vi.fn();
    here.subscribe(heard);
    tell(key);
    expect(here.get()).toEqual({ theme: 'light', isSidebarOpen: false, tabLeaves: true });
    expect(heard).toHaveBeenCalledOnce();
    tell('wheelhouse.other');
    texts.clear();
    tell(null);
    expect(here.get().theme).toBe('system');
    expect(heard).toHaveBeenCalledTimes(2);
  });

  test('closes the group More also where one of its lists opened it', () => {
    const here = createAppearance(browser().page());
    here.update((value) => ({ ...value, moreOpenFor: '/clusters/1/objects/core/configmaps' }));
    expect(showsMore(here.get())).toBe(true);
    here.update(withMoreToggled);
    expect(showsMore(here.get())).toBe(false);
    here.update(withMoreToggled);
    expect(showsMore(here.get())).toBe(true);
  });

  test('keeps whether the group More of the sidebar is open, closed by default', () => {
    const { page } = browser();
    const here = createAppearance(page());
    expect(here.get().isMoreOpen).toBeUndefined();
    here.update((value) => ({ ...value, isMoreOpen: true }));
    expect(createAppearance(page()).get().isMoreOpen).toBe(true);
    here.update((value) => ({ ...value, isMoreOpen: false }));
    expect(createAppearance(page()).get().isMoreOpen).toBeUndefined();
  });

  test('holds on this page and says so when the browser has no room for it', () => {
    const { page, fill, unkept } = browser();
    const appearance = createAppearance(page());
    const heard: string[] = [];
    appearance.subscribe(() => heard.push(appearance.get().theme));
    fill();
    appearance.update((value) => ({ ...value, theme: 'dark' }));
    expect([heard, unkept]).toEqual([['dark'], [key]]);
  });
});

describe('recents', () => {
  const place = { href: '/clusters/1/pods', at: 1 };

  test('are those of one person, and the same to all who ask', () => {
    const { page, texts } = browser();
    const recents = createRecents(page());
    recents.places(1).set([place]);
    recents.runs(1).set([{ command: 'help.keys', args: {}, refs: [], at: 2 }]);
    expect(recents.places(1)).toBe(recents.places(1));
    expect(recents.places(2).get()).toEqual([]);
    expect([...texts.keys()]).toEqual(['wheelhouse.recents.1', 'wheelhouse.runs.1']);
    const later = createRecents(page());
    expect(later.places(1).get()).toEqual([place]);
    expect(later.runs(1).get()).toHaveLength(1);
  });

  test('of two pages are not lost to each other', () => {
    const { page, tell } = browser();
    const [here, there] = [createRecents(page()).places(1), createRecents(page()).places(1)];
    there.update((places) => [place, ...places]);
    tell('wheelhouse.recents.1');
    here.update((places) => [{ href: '/clusters/2', at: 2 }, ...places]);
    expect(createRecents(page()).places(1).get()).toHaveLength(2);
  });

  test('and numbered namespaces of before there were versions are still read', () => {
    expect(readRecents(JSON.stringify([place]))).toEqual([place]);
    expect(readRecents(storeRecents([place]))).toEqual([place]);
    expect(readRecents('{"version":2,"places":[]}')).toEqual([]);
    const chosen = [{ name: 'shop', number: 1, at: 1 }];
    expect(readChosen(storeChosen(chosen))).toEqual(chosen);
    expect(JSON.parse(storeChosen(chosen))).toMatchObject({ version: 1 });
  });
});
