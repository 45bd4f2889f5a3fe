import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** A shape of lucide's data: element, attributes, and the key React wants. */
type Shape = readonly [string, Readonly<Record<string, string | number>>];

const lucide = dirname(createRequire(import.meta.url).resolve('lucide-react/package.json'));
const component = fileURLToPath(new URL('../web/kit/sprite-icon.tsx', import.meta.url));
const iconModulePrefix = 'virtual:icon/';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** An icon's shapes to be drawn from: lines inherit colour and width from where it is used. */
export function groupOf(name: string, shapes: readonly Shape[]): string {
  const drawn = shapes.map(([element, attributes]) => {
    const given = Object.entries(attributes).filter(([attribute]) => attribute !== 'key');
    return `<${element} ${given.map(([attribute, value]) => `${attribute}="${escaped(String(value))}"`).join(' ')}/>`;
  });
  return `<g id="icon-${name}">${drawn.join('')}</g>`;
}

/** The names of components in `lucide-react`, with the names of their files: `Bell` is `bell`. */
async function namesOf(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(lucide, 'dist/esm/lucide-react.mjs'), 'utf8');
  const names = new Map<string, string>();
  const exports = text.matchAll(/^export \{([^}]*)\} from '\.\/icons\/([^']+)\.mjs'/gm);
  for (const [, exported = '', file = ''] of exports)
    for (const [, name = ''] of exported.matchAll(/default as (\w+)/g)) names.set(name, file);
  return names;
}

async function drawn(file: string): Promise<string> {
  const path = pathToFileURL(join(lucide, `dist/esm/icons/${file}.mjs`)).href;
  const { __iconData } = (await import(path)) as { __iconData: { readonly node: readonly Shape[] } };
  return groupOf(file, __iconData.node);
}

/**
 * Draws the icons of the built page from a sprite inside its HTML, made of lucide's own data, instead of from modules:
 * an icon costs no JavaScript and shows with the first paint. Only icons that the page uses are in it. Without a build
 * (dev server, unit tests) `lucide-react` itself draws them.
 */
export function iconSprite(): Plugin {
  let names: ReadonlyMap<string, string> = new Map();
  return {
    name: 'icon-sprite',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      names = await namesOf();
    },
    // A module for each icon: one for all would bring every icon of the page into its first chunk.
    transform(code) {
      if (!code.includes("from 'lucide-react'")) return null;
      return {
        code: code.replace(/import \{([^}]*)\} from 'lucide-react';/g, (whole, list: string) => {
          const wanted = list.split(',').map((name) => name.trim());
          const imports = wanted
            .filter(Boolean)
            .map((name) => `import { ${name} } from '${iconModulePrefix}${name}';`);
          return imports.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
        }),
        map: null,
      };
    },
    resolveId: (source) =>
      source.startsWith(iconModulePrefix) ? { id: source, moduleSideEffects: false } : null,
    load(id) {
      if (!id.startsWith(iconModulePrefix)) return null;
      const name = id.slice(iconModulePrefix.length);
      const file = names.get(name);
      if (file === undefined) return this.error(`lucide has no icon ${name}.`);
      return `import { spriteIcon } from ${JSON.stringify(component)};
export const ${name} = /* @__PURE__ */ spriteIcon(${JSON.stringify(file)});`;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const modules = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' ? file.moduleIds : [],
        );
        const files = modules
          .filter((id) => id.startsWith(iconModulePrefix))
          .flatMap((id) => names.get(id.slice(iconModulePrefix.length)) ?? []);
        const groups = await Promise.all([...new Set(files)].sort().map(drawn));
        const sprite = `<div hidden><svg aria-hidden="true"><defs>${groups.join('')}</defs></svg></div>`;
        return html.replace('</body>', `  ${sprite}\n  </body>`);
      },
    },
  };
}
