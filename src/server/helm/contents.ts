import type { ReleaseContents } from '../../contract/releases.ts';
import { cleanText } from '../../kube/text.ts';
import { writeYaml } from '../../kube/yaml/write.ts';
import { cleanValue } from '../objects/present.ts';
import { computedValues, type StoredRelease } from '../objects/release/decode.ts';
import { hiderOf, maskEveryValue, maskManifest, maskText, maskValues } from '../objects/release/mask.ts';

/** A revision as people read it. @param hidden what is masked: credentials, or every value */
export function releaseContents(
  stored: StoredRelease,
  hidden: 'nothing' | 'credentials' | 'all',
): ReleaseContents {
  const { revision, values, defaults, manifest, notes, hooks } = stored;
  const computed = computedValues(defaults, values);
  const hide = hidden === 'all' ? hiderOf(computed) : undefined;
  const shown = { nothing: (all: unknown) => all, credentials: maskValues, all: maskEveryValue }[hidden];
  const yaml = (value: unknown) => {
    const text = writeYaml(cleanValue(shown(value)));
    return text === '{}\n' ? '' : text;
  };
  const credentials = hidden === 'nothing' ? notes : maskText(notes, computed);
  return {
    revision,
    values: yaml(values),
    computed: yaml(computed),
    manifest: cleanText(hidden === 'nothing' ? manifest : maskManifest(manifest, hide)),
    notes: cleanText(hide?.within(credentials) ?? credentials),
    hooks: hooks.map(({ name, kind, events }) => ({ name, kind, events: [...events] })),
  };
}
