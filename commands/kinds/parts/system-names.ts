/** Whether a name is not one of the hundred roles and bindings by which Kubernetes itself works. */
export const isOwnName = (name: string): boolean => !name.startsWith('system:');
