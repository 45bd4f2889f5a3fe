import type { ApiClient } from './client.ts';

type AddedWebhook = Awaited<ReturnType<ApiClient['addWebhook']>>;

/**
 * Adds and deletes a person's webhooks on a cluster. What fails is kept, in the server's own words first, and answered
 * as the specification says (section 8): adding gives null, deleting gives false.
 */
export class WebhookChanges {
  readonly #api: Pick<ApiClient, 'addWebhook' | 'deleteWebhook'>;
  readonly #clusterId: number;
  #failure: Error | undefined;

  constructor(api: Pick<ApiClient, 'addWebhook' | 'deleteWebhook'>, clusterId: number) {
    this.#api = api;
    this.#clusterId = clusterId;
  }

  /** Why the last change failed; undefined where it did not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Adds one; gives it with its secret, or null. */
  async add(body: Parameters<ApiClient['addWebhook']>[0]['body']): Promise<AddedWebhook | null> {
    return await this.#try(
      () => this.#api.addWebhook({ params: { clusterId: this.#clusterId }, body }),
      null,
    );
  }

  /** Deletes one; gives whether it is gone. */
  async delete(webhookId: string): Promise<boolean> {
    return await this.#try(async () => {
      await this.#api.deleteWebhook({ params: { clusterId: this.#clusterId, webhookId } });
      return true;
    }, false);
  }

  async #try<Done, Failed>(change: () => Promise<Done>, failed: Failed): Promise<Done | Failed> {
    this.#failure = undefined;
    try {
      return await change();
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      return failed;
    }
  }
}
