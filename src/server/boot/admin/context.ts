import type { Config } from '../../kit/config.ts';
import type { DatabaseConfig } from '../../store/open.ts';

/** An operator command: what it is given, and what it says. */
export interface AdminContext {
  readonly config: Config & Pick<DatabaseConfig, 'isBesideServer'>;
  readonly say: (sentence: string) => void;
}
