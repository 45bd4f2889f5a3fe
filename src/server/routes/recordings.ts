import type { recordingEndpoints } from '../../contract/recordings.ts';
import type { Handlers } from '../http/handlers.ts';
import { findRecording, readParts, readRecordings } from '../recordings/reading.ts';
import { recordingSubject } from '../recordings/replays.ts';
import { requireOwner } from './require-owner.ts';
import type { RouteParts } from './parts.ts';

/** The recorded shells of a company. */
export function recordingHandlers(
  services: Pick<RouteParts, 'store' | 'vault'>,
): Handlers<typeof recordingEndpoints> {
  const { store } = services;
  return {
    recordings: async ({ query: { after, ...filter } }, { person }) =>
      await readRecordings(store, person.companyId, { filter, after }),
    downloadRecording: async ({ params: { recordingId } }, { person, audit, sendFile }) => {
      const recording = await findRecording(store, person.companyId, recordingId);
      await audit.record('recording.download', {
        ...recordingSubject(recording),
        clusterId: recording.about.clusterId,
      });
      async function* chunks(): AsyncGenerator<string> {
        for await (const text of readParts(services, recording)) {
          await requireOwner(store, person, 'Only Owners of the organisation can replay its recordings.');
          yield text;
        }
      }
      const { startedAt, name } = recording.about;
      await sendFile({
        name: `${name.replaceAll(/[^\w.-]/g, '_')}-${startedAt.slice(0, 19).replaceAll(/[:T]/g, '-')}.cast`,
        type: 'application/x-asciicast',
        chunks: chunks(),
      });
      return undefined;
    },
  };
}
