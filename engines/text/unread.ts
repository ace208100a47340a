import { unreadMember } from '../../base/unreadMembers.ts';
import { unsupportedParameter } from '../../rules/protocol/requestError.ts';
import type { ChatInput } from '../../rules/protocol/schema.ts';

/** Throws 400 for a member inside messages, tools, the format or the choice that would change another model's answer, but not this model's. */
export function refuseUnread(input: Pick<ChatInput, 'messages' | 'tools' | 'response_format' | 'tool_choice'>): void {
  const unread = unreadMember(input);
  if (unread !== undefined) throw unsupportedParameter(unread);
}
