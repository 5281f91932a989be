/** What delivery needs of a host. */
export interface DeliveryHost<Message> {
  /** The host's own admission: whether the message may enter the conversation. */
  readonly admit: (messages: readonly Message[]) => boolean | Promise<boolean>;
  /** Append all messages side by side, in this order, as one unit. Called at most once. */
  readonly append: (messages: readonly Message[]) => void | Promise<void>;
}

/**
 * Deliver a context and the user's own message together: both when the host admits them, neither when it does not.
 *
 * @param messages - a pair in whichever shape the host keeps: what `toAiSdkUiMessages` or another of its kind returned.
 * @param host - see {@link DeliveryHost}. What either callback throws is passed on.
 * @returns whether they were appended.
 *
 * @example
 * await deliverTogether(toAiSdkUiMessages(prepared), { admit: () => !isBusy, append: (pair) => chat.push(...pair) });
 */
export async function deliverTogether<Message>(
  messages: readonly Message[],
  { admit, append }: DeliveryHost<Message>,
): Promise<boolean> {
  if (!(await admit(messages))) return false;
  await append(messages);
  return true;
}
