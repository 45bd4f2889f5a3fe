import { type ESTree, parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { sources, textOf } from './sources.ts';

/** A declaration at the top level of a module, exported or not. */
interface Declaration {
  readonly name: string;
  /** Functions may be called by a verb that is also a participle, such as `read`, and types describe objects. */
  readonly isValue: boolean;
}

/** The names that a pattern binds. */
function boundNames(pattern: ESTree.BindingPattern | ESTree.BindingRestElement): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern.left);
  if (pattern.type === 'RestElement') return boundNames(pattern.argument);
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((one) => (one === null ? [] : boundNames(one)));
  return pattern.properties.flatMap((one) =>
    boundNames(one.type === 'RestElement' ? one.argument : one.value),
  );
}

const isFunction = (node: ESTree.Expression | null): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

/** The declarations at the top level of a file whose content is `text`. */
function declarationsIn(file: string, text: string): Declaration[] {
  return parseSync(file, text).program.body.flatMap((statement): Declaration[] => {
    const node =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement;
    if (node.type === 'VariableDeclaration')
      return node.declarations.flatMap(({ id, init }) =>
        boundNames(id).map((name) => ({ name, isValue: !isFunction(init) })),
      );
    if (node.type === 'ClassDeclaration' || node.type === 'FunctionDeclaration')
      return node.id === null ? [] : [{ name: node.id.name, isValue: node.type === 'ClassDeclaration' }];
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
      return [{ name: node.id.name, isValue: false }];
    return [];
  });
}

/** Words that name nothing, in any case and with a trailing s: neither a value, a function nor a type. */
const riddles = new Set(
  `acting again apart asked besides both elsewhen few fresh given gone hands held heard kept known later left longest
  losing met most named none plain rest said shown standing taken texts told tried way what whom wish words`.split(
    /\s+/,
  ),
);

/** Participles, adjectives, prepositions and pronouns: alone they do not say what a value is. */
const valueRiddles = new Set(
  `about absent added administered after against ahead all along always any around bad because before begun behind below
  beside beyond born brief busy chosen closed closing common copied counted crossing cut declared decoded deduced deepest
  demanded derived dim discovered each edited ended escaped evicted every everything everywhere except existing exited
  explicit extreme failed failing filled first fits found frozen full gated guarded here hidden highest impossible inner
  inside interrupted into invisible isolated issued joined largest last lasting late lately leased least listed loaded
  made managed mapped marked masked matching missed moved narrow near nobody nothing nowhere odd of omitted one only
  opposite or ordered other outside own owned padded parsed past paused per picked placed present pressed published
  queued quiet quoted recent refused registered remembered renamed reported requested resized reversed round rounded
  ruled same scaled scoped selected served settled shared short silent since single sized slow slowest small some soon
  spoken stale stamped strong swollen together twice two unasked unchecked unclean unplaced unreached unsayable unsent
  unwanted unwritten usual viewed wanted whole widest within without worse worst written wrong`.split(/\s+/),
);

/** Whether a declaration has a riddle for a name. */
function isRiddle({ name, isValue }: Declaration): boolean {
  const word = name.toLowerCase();
  return (
    [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((one) => riddles.has(one)) ||
    (isValue && valueRiddles.has(word))
  );
}

/** Names that are still to be replaced. The list only shrinks: delete an entry with its declaration, add none. */
const REMAINING: readonly string[] = [
  'src/server/actions/available.ts: single',
  'src/server/actions/default-class.ts: most',
  'src/server/actions/joins.ts: most',
  'src/server/actions/joins.ts: without',
  'src/server/actions/revisions.ts: most',
  'src/server/actions/rollback.ts: kept',
  'src/server/actions/rollback.ts: plain',
  'src/server/actions/told.ts: Told',
  'src/server/clusters/kubeconfig-user.ts: named',
  'src/server/clusters/kubeconfig.ts: what',
  'src/server/clusters/quoted-object.ts: quoted',
  'src/server/compare/lists.ts: told',
  'src/server/helm/apply.ts: Plain',
  'src/server/helm/hooks.ts: named',
  'src/server/jobs/drain/budgets.ts: most',
  'src/server/jobs/drain/plan.ts: evicted',
  'src/server/jobs/drain/plan.ts: most',
  'src/server/jobs/drain/plan.ts: named',
  'src/server/live/feed-state.ts: worst',
  'src/server/live/graph/closure.ts: Ways',
  'src/server/live/graph/compose.ts: Known',
  'src/server/live/graph/compose.ts: shared',
  'src/server/live/graph/label-index.ts: none',
  'src/server/live/intake.ts: most',
  'src/server/live/joins/scaled-by.ts: common',
  'src/server/live/projector.ts: shown',
  'src/server/manifests/create.ts: told',
  'src/server/manifests/objects.ts: Plain',
  'src/server/manifests/place.ts: shown',
  'src/server/objects/kind-catalogue.ts: Named',
  'src/server/objects/present.ts: deepest',
  'src/server/objects/read.ts: Plain',
  'src/server/objects/refused-fields.ts: most',
  'src/server/objects/release/decode.ts: Plain',
  'src/server/objects/release/decode.ts: plain',
  'src/server/objects/release/encode.ts: Kept',
  'src/server/objects/release/encode.ts: Plain',
  'src/server/objects/release/read.ts: most',
  'src/server/objects/release/read.ts: none',
  'src/server/objects/schema-catalogue.ts: largest',
  'src/server/objects/secret-guard.ts: both',
  'src/server/routes/clusters.ts: named',
  'src/server/routes/counts.ts: counted',
  'src/server/routes/custom-resources.ts: most',
  'src/server/routes/namespaces.ts: most',
  'src/server/search/find.ts: derived',
  'src/server/start.mjs: rest',
  'src/web/app/create-kept.ts: narrow',
  'src/web/data/rows/filter.ts: Asked',
  'src/web/data/rows/held-order.ts: Held',
  'src/web/data/rows/held-order.ts: nowhere',
  'src/web/data/rows/name-order.ts: absent',
  'src/web/data/rows/name-order.ts: present',
  'src/web/data/rows/row-order.ts: absent',
  'src/web/data/rows/row-order.ts: present',
  'src/web/features/actions/ActionDialog.tsx: Gone',
  'src/web/features/actions/DiffText.tsx: words',
  'src/web/features/actions/SubjectBox.tsx: most',
  'src/web/features/actions/acting.ts: Acting',
  'src/web/features/actions/diff.ts: around',
  'src/web/features/actions/held-changes.ts: made',
  'src/web/features/cells/Cell.tsx: absent',
  'src/web/features/cells/Cell.tsx: dim',
  'src/web/features/cells/Cell.tsx: plain',
  'src/web/features/cells/Cell.tsx: recent',
  'src/web/features/compare/ComparedTable.tsx: some',
  'src/web/features/compare/DiffRows.tsx: around',
  'src/web/features/compare/StateFilter.tsx: Shown',
  'src/web/features/compare/diff-look.ts: nothing',
  'src/web/features/create/ClusterChecks.tsx: most',
  'src/web/features/create/ParsedPanel.tsx: Words',
  'src/web/features/detail/Capacity.tsx: plain',
  'src/web/features/detail/Conditions.tsx: closed',
  'src/web/features/detail/Data.tsx: longest',
  'src/web/features/detail/Data.tsx: most',
  'src/web/features/detail/Metadata.tsx: longest',
  'src/web/features/detail/SecretData.tsx: told',
  'src/web/features/detail/SectionNav.tsx: without',
  'src/web/features/detail/SubList.tsx: first',
  'src/web/features/detail/condition-tone.ts: bad',
  'src/web/features/detail/field-tree.ts: deepest',
  'src/web/features/detail/secret-text.ts: soon',
  'src/web/features/edit/unsent.ts: Kept',
  'src/web/features/edit/unsent.ts: longest',
  'src/web/features/edit/unsent.ts: settled',
  'src/web/features/edit/use-editing.ts: Tried',
  'src/web/features/editor/monaco/create-editor.ts: made',
  'src/web/features/editor/use-faults.ts: none',
  'src/web/features/editor/use-parsed.ts: later',
  'src/web/features/editor/use-schema.ts: Named',
  'src/web/features/editor/use-schema.ts: most',
  'src/web/features/graph/GraphStatus.tsx: words',
  'src/web/features/graph/GraphView.tsx: narrow',
  'src/web/features/graph/fold.ts: widest',
  'src/web/features/graph/model.ts: deepest',
  'src/web/features/graph/tree.ts: against',
  'src/web/features/graph/tree.ts: along',
  'src/web/features/graph/use-layout.ts: nowhere',
  'src/web/features/jobs/JobBox.tsx: first',
  'src/web/features/list/ListGrid.tsx: besides',
  'src/web/features/list/TwoLines.tsx: besides',
  'src/web/features/list/columns.ts: brief',
  'src/web/features/list/columns.ts: last',
  'src/web/features/list/columns.ts: texts',
  'src/web/features/list/list-target.ts: Shown',
  'src/web/features/list/row-look.ts: placed',
  'src/web/features/list/use-list.ts: most',
  'src/web/features/logs/JsonTree.tsx: deepest',
  'src/web/features/logs/LogLines.tsx: near',
  'src/web/features/logs/LogStatus.tsx: said',
  'src/web/features/logs/LogStatus.tsx: words',
  'src/web/features/logs/LogTools.tsx: small',
  'src/web/features/logs/LogTools.tsx: whole',
  'src/web/features/logs/columns.ts: deepest',
  'src/web/features/logs/field-index.ts: widest',
  'src/web/features/logs/json.ts: longest',
  'src/web/features/logs/level.ts: words',
  'src/web/features/logs/matcher.ts: longest',
  'src/web/features/logs/matcher.ts: most',
  'src/web/features/logs/source-names.ts: longest',
  'src/web/features/metrics/usage-words.ts: near',
  'src/web/features/palette/EntryLine.tsx: Rest',
  'src/web/features/palette/use-objects.ts: later',
  'src/web/frame/use-revealed.ts: nothing',
  'src/web/keyboard/Hints.tsx: most',
  'src/web/keyboard/PersonalKeys.tsx: none',
  'src/web/routing/schemas.ts: later',
  'src/web/screens/Cluster/AttentionCard.tsx: what',
  'src/web/screens/Cluster/ChangesCard.tsx: words',
  'src/web/screens/Cluster/JobsCard.tsx: most',
  'src/web/screens/Cluster/model.ts: least',
  'src/web/screens/Cluster/model.ts: own',
  'src/web/screens/Clusters/ClusterTable.tsx: none',
  'src/web/screens/Clusters/use-contexts.ts: last',
  'src/web/screens/Clusters/use-contexts.ts: rest',
  'src/web/screens/Settings/KeymapEditor.tsx: none',
  'src/web/screens/Settings/rebind.ts: plain',
  'src/web/screens/Tests/ActionButtonTest.tsx: named',
  'src/web/screens/Tests/ToastTest.tsx: lasting',
  'src/web/screens/Tests/ToastTest.tsx: said',
  'src/web/shell/StaticFrame.tsx: everything',
  'src/web/shell/use-focus-kept.ts: remembered',
  'src/web/workspace/geometry.ts: everything',
  'src/web/workspace/link.ts: Shown',
  'src/web/workspace/link.ts: deepest',
  'src/web/workspace/link.ts: longest',
  'src/web/workspace/port.ts: Losing',
  'src/web/workspace/restore.ts: fresh',
  'src/web/workspace/stored.ts: Kept',
  'src/web/workspace/use-held.ts: Held',
  'src/web/workspace/walk.ts: way',
  'src/web/yaml/to-yaml.ts: first',
];

describe('the name of a module-level declaration says what it is', () => {
  const found = ['src', 'commands'].flatMap(sources).flatMap((file) =>
    declarationsIn(file, textOf(file))
      .filter(isRiddle)
      .map(({ name }) => `${file}: ${name}`),
  );

  test('no declaration is called by a word that names nothing', () => {
    expect(found.filter((entry) => !REMAINING.includes(entry))).toEqual([]);
  });

  test('the list of remaining names has no entry whose declaration is gone: delete such entries', () => {
    expect(REMAINING.filter((entry) => !found.includes(entry))).toEqual([]);
  });

  test.each([
    ['const longest = 5;', ['longest']],
    ['export const { most, rest: [named] } = limits;', ['most', 'named']],
    ['export function told() {}', ['told']],
    ['export interface Wishes { a: 1 }', ['Wishes']],
    ['type Words = string;', ['Words']],
    ['class Held {}', ['Held']],
    ['const failed = new Set();', ['failed']],
    ['const failed = () => true;', []],
    ['interface Failed { a: 1 }', []],
    ['function f() { const longest = 5; return longest; }', []],
    ['const maxLength = 5;', []],
  ])('%s', (text, expected) => {
    expect(
      declarationsIn('example.ts', text)
        .filter(isRiddle)
        .map(({ name }) => name),
    ).toEqual(expected);
  });
});
