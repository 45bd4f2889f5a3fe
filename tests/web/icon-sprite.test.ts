import { Bell } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../src/build/icon-sprite.ts';
import { spriteIcon } from '../../src/web/kit/sprite-icon.tsx';

describe('an icon drawn from the sprite', () => {
  const attributesOf = (markup: string) =>
    [...(/^<svg ([^>]*)>/.exec(markup)?.[1] ?? '').matchAll(/[\w-]+="[^"]*"/g)]
      .map(([attribute]) => attribute)
      .filter((attribute) => !attribute.startsWith('xmlns'))
      .sort();

  it('has the attributes of the one of lucide', () => {
    const props = { size: 14, strokeWidth: 1.75, className: 'dim' };
    const drawn = renderToStaticMarkup(createElement(spriteIcon('bell'), props));
    expect(attributesOf(drawn)).toEqual(attributesOf(renderToStaticMarkup(createElement(Bell, props))));
    expect(drawn).toContain('<use href="#icon-bell">');
  });

  it('has its shapes with their attributes escaped and without the keys of React', () => {
    const shapes = [
      ['path', { d: 'M1 "2"', key: 'a' }],
      ['circle', { cx: 1, cy: 2, r: 3 }],
    ] as const;
    expect(groupOf('bell', shapes)).toBe(
      '<g id="icon-bell"><path d="M1 &quot;2&quot;"/><circle cx="1" cy="2" r="3"/></g>',
    );
  });
});
