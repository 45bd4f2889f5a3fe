import type { Store } from '../store/store.ts';
import { adoptClusters } from './adopt.ts';
import { notifyGrantsChange } from './cluster-changes.ts';
import type { OperatorFile } from './operator-file.ts';
import type { PlaygroundSource } from './playground-source.ts';

/** Inputs of the adoption. */
export interface AdoptionParts {
  readonly store: Pick<Store, 'db' | 'channel'>;
  readonly file: OperatorFile;
  readonly playground: PlaygroundSource | undefined;
}

/** Gives the playground and the contexts of the operator's file their rows. */
export class Adoption {
  readonly #parts: AdoptionParts;
  /** Contexts that had a row in this process: one that a person removed comes back with the next start only. */
  readonly #offered = new Set<string>();

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
  }

  /** Adds and updates the rows, once there is a company. Throws errors of the database. */
  async adopt(): Promise<void> {
    const { store, file, playground } = this.#parts;
    const { changed } = await adoptClusters(
      store,
      {
        hasPlayground: playground !== undefined,
        hasStaging: playground?.hasStaging === true,
        contexts: await file.contexts(),
        offered: this.#offered,
      },
      (tx, row) => notifyGrantsChange(store.channel, tx, row),
    );
    for (const { source, context } of changed) {
      if (source === 'operator' && context !== null) this.#offered.add(context);
    }
  }
}
