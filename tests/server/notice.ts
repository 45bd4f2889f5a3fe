import type { ChannelMessages, RightsTopic, Store } from '../../src/server/store/store.ts';

/** Sends a message about rights in a transaction of its own, as a change by hand would. */
export async function sendNotice<K extends RightsTopic>(
  { db, channel }: Pick<Store, 'db' | 'channel'>,
  topic: K,
  message: ChannelMessages[K],
): Promise<void> {
  await db.transaction((tx) => channel.notify(topic, message, tx));
}
