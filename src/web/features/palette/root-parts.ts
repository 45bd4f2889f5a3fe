import type { Cluster } from '../../../contract/clusters.ts';
import type { PaletteInput } from '../../../registry/palette/query.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import type { ListedKind } from '../../core/kinds/listed.ts';
import type { FoundObjects } from './ask-objects.ts';
import type { Entry } from './entries.ts';
import type { PaletteOpening } from './opening.ts';
import type { Candidate } from './rank-entries.ts';
import type { Reading } from './reading.ts';

/** Everything the first level is made of. */
export interface RootParts {
  readonly opening: PaletteOpening;
  readonly registry: Registry;
  readonly input: PaletteInput;
  /** As typed, without its prefix: the kind mode minds a space at the end. */
  readonly raw: string;
  /** Only objects, all that were found. */
  readonly isAlone: boolean;
  readonly clusters: readonly Cluster[];
  readonly kinds: readonly ListedKind[];
  readonly commands: readonly Candidate[];
  readonly recents: readonly Candidate[];
  /** Lists of resources without a kind of their own, in the selected cluster. */
  readonly resources: readonly Candidate[];
  /** Actions of what the palette was opened on. */
  readonly own: readonly Entry[];
  /** What the person may not do here, as questions. */
  readonly questions: readonly Candidate[];
  readonly objects: FoundObjects;
  /** What the text says beside the words to search for. */
  readonly reading: Reading;
  /** The objects found for the acts that it names. */
  readonly intended: FoundObjects;
  /** Heading of the objects of the kind mode. */
  readonly objectsTitle: string;
  readonly namespaces: readonly string[];
  readonly isReadingNamespaces: boolean;
  /** Why they could not be read. */
  readonly namespacesProblem?: string | undefined;
  /** The phrases by which commands are found beside their titles; there by default. */
  readonly phrases?: PhrasesState;
}

/** State of the phrases by which commands are found beside their titles and keywords. */
export type PhrasesState = 'coming' | 'there' | 'missing';
