import type { systemEndpoints } from '../../contract/system.ts';
import type { Handlers } from '../http/handlers.ts';
import type { RouteParts } from './parts.ts';

/** Facts of the installation that the page needs. */
export function systemHandlers(
  services: Pick<RouteParts, 'build' | 'config'>,
): Handlers<typeof systemEndpoints> {
  return {
    consoleConfig: () => ({
      build: services.build,
      helpUrl: services.config.helpUrl,
      hasBilling: services.config.billing !== null,
    }),
  };
}
