import * as z from 'zod/mini';
import { type AlertEvent, alertEvents } from './alert-events.ts';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { namespaceNameSchema } from './namespaces.ts';
import { refSchema } from './objects.ts';

/** The newest notifications of a person that are kept. */
export const notificationLimit = 200;
/** The newest notices of changes of an account that are kept. */
export const accountNoticeLimit = 50;
/** What a person may follow at most. */
export const followLimit = 200;

/** What a person was told, and may still see. */
const notificationSchema = z.strictObject({
  id: z.uuid(),
  /** An event type of webhooks, or a personal one. */
  type: z.string(),
  at: z.string(),
  isRead: z.boolean(),
  /** It came in quiet hours, or beyond what an hour may have: the bell alone shows it. */
  isQuiet: z.optional(z.literal(true)),
  /** A sentence without a full stop: `shop/web: ImagePullBackOff`. */
  title: z.string(),
  /** Absent for what is about the person's account. */
  cluster: z.optional(z.strictObject({ id: z.int(), name: z.string() })),
  /** The object concerned; names of several are separated by commas. Absent for a cluster or an account. */
  object: z.optional(
    z.strictObject({ kind: z.string(), namespace: z.optional(z.string()), name: z.string() }),
  ),
  /** The path of its page in the console. */
  path: z.string(),
});
export type Notification = z.infer<typeof notificationSchema>;

/** What is followed: one object, a namespace, or the cluster as a whole. */
const targetSchema = z.strictObject({
  /** A namespace object as well: following it follows what is in it. */
  object: z.optional(refSchema),
  namespace: z.optional(namespaceNameSchema),
});
export type FollowTarget = z.infer<typeof targetSchema>;

const alertsSchema = z
  .array(z.enum(Object.keys(alertEvents) as [AlertEvent, ...AlertEvent[]]))
  .check(z.minLength(1), z.maxLength(Object.keys(alertEvents).length));

/** What a person follows. */
const followSchema = z.strictObject({
  id: z.uuid(),
  cluster: z.strictObject({ id: z.int(), name: z.string() }),
  ...targetSchema.shape,
  /** It ends with the news that the object is ready. */
  isUntilReady: z.boolean(),
  /** The kinds of trouble that alert the person, and nothing else; absent where everything is news. */
  alerts: z.optional(alertsSchema),
  createdAt: z.string(),
});
export type Follow = z.infer<typeof followSchema>;

const allNotifications = z.strictObject({
  /** The newest first. */
  notifications: z.array(notificationSchema),
  unread: z.int(),
});
export type Notifications = z.infer<typeof allNotifications>;

/** What a person follows, and what they were told of it. */
export const notificationEndpoints = {
  notifications: endpoint({
    method: 'GET',
    path: '/api/profile/notifications',
    summary: 'Notifications of the signed-in person about objects that they follow and may still view',
    access: 'member',
    response: allNotifications,
    failure: 'Failed to fetch notifications',
  }),
  changeNotifications: endpoint({
    method: 'POST',
    path: '/api/profile/notifications',
    summary: 'Marks notifications of the signed-in person as read or unread, or clears them',
    access: 'member',
    own: true,
    body: z.strictObject({
      change: z.enum(['read', 'unread', 'clear']),
      ids: z.array(z.uuid()).check(z.maxLength(notificationLimit + accountNoticeLimit)),
    }),
    status: 204,
    failure: 'Failed to change notifications',
  }),
  follows: endpoint({
    method: 'GET',
    path: '/api/profile/follows',
    summary: 'Everything that the signed-in person follows and can still access',
    access: 'member',
    response: z.array(followSchema),
    failure: 'Failed to fetch what you follow',
  }),
  follow: endpoint({
    method: 'PUT',
    path: '/api/clusters/:clusterId/follows',
    summary: 'Follows an object, a namespace or the cluster: the person is notified of what happens to it',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: clusterParams,
    body: z.extend(targetSchema, {
      /** Only until it is ready, beside what is followed for good. */
      isUntilReady: z._default(z.boolean(), false),
      /** Of a cluster or namespace: the person is alerted to new trouble of these kinds alone, and to its end. */
      alerts: z.optional(alertsSchema),
    }),
    response: followSchema,
    failure: 'Failed to follow it',
  }),
  unfollow: endpoint({
    method: 'DELETE',
    path: '/api/profile/follows/:followId',
    summary: 'Unfollows an object, a namespace or the cluster',
    access: 'member',
    own: true,
    params: z.strictObject({ followId: z.uuid() }),
    status: 204,
    failure: 'Failed to unfollow it',
  }),
} as const;
