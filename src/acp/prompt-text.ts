// The blocks of a prompt -> the text of a message.
//
// What a person attached follows the text: a file as its address, an embedded text as a block. A command (`/name`) stays at the
// beginning. Pictures and sound are refused, as the capabilities say.
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { codeBlock } from './markdown.ts';

const maxUnits = 4_000_000;

/** Throws USAGE for an empty message, one that is too long, and blocks that are not text. */
export function promptText(blocks: readonly ContentBlock[]): string {
  const text = blocks.map(partOf).join('').trim();
  if (text === '') throw new TechneError('USAGE', 'the message is empty');
  if (text.length > maxUnits)
    throw new TechneError('USAGE', `the message has more than ${maxUnits} characters`, {
      hint: 'name a file instead of attaching it',
    });
  return text;
}

function partOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return ` ${placeOf(block.uri)} `;
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource))
        throw new TechneError('USAGE', `"${printableLine(resource.uri)}" is not text`, {
          hint: 'name the file in the message, so that a tool can read it',
        });
      return `\n\n${placeOf(resource.uri)}:\n${codeBlock(resource.text)}\n\n`;
    }
    case 'image':
    case 'audio':
    default:
      throw new TechneError('USAGE', `a message holds text and files, not "${printableLine(block.type)}"`);
  }
}

/** The path of a file; every other address as it is. */
function placeOf(uri: string): string {
  try {
    const url = new URL(uri);
    return url.protocol === 'file:' ? decodeURIComponent(url.pathname) + url.hash : uri;
  } catch {
    return uri; // not an address, or not decodable
  }
}
