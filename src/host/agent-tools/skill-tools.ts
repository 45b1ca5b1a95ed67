// skill_load, skill_read: the instructions and files of a skill. Reading only: nothing that is mentioned is executed.
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import { TechneError } from '../../base/error.ts';
import { cutText } from '../../run/cut-text.ts';
import { nodeDecodeUtf8 } from '../node-environment.ts';
import type { AgentTool } from './tool.ts';
import { cutForModel, objectSchema, ToolFault } from './tool.ts';

export type SkillReader = Pick<Snapshot, 'readBody' | 'readFile'>;

const maxListed = 60;
const maxDescriptionUnits = 200;

/** `skills`: those that the model may see and follow. No tools when there is none. */
export function skillTools(snapshot: SkillReader, skills: readonly Skill[]): readonly AgentTool[] {
  if (skills.length === 0) return [];
  const find = (name: string): Skill => {
    const skill = skills.find((each) => each.name === name);
    if (skill === undefined) throw new ToolFault(`there is no skill ${JSON.stringify(name)}`);
    return skill;
  };
  return [
    {
      name: 'skill_load',
      description: `Loads the instructions of a skill. There are:\n${listed(skills)}`,
      parameters: objectSchema({ name: { type: 'string' } }, ['name']),
      run: async ({ name }) => cutForModel(await faultless(async () => (await snapshot.readBody(find(name as string).name)).text)),
    },
    {
      name: 'skill_read',
      description: 'Reads a file of a skill that its instructions mention.',
      parameters: objectSchema({ name: { type: 'string', description: 'The name of the skill.' }, path: { type: 'string', description: 'From the folder of the skill.' } }, ['name', 'path']),
      run: async ({ name, path }) => {
        const bytes = await faultless(() => snapshot.readFile(find(name as string).name, path as string));
        if (bytes.subarray(0, 8192).includes(0)) throw new ToolFault(`${JSON.stringify(path)} is a binary file`);
        return cutForModel(nodeDecodeUtf8(bytes).text);
      },
    },
  ];
}

function listed(skills: readonly Skill[]): string {
  const lines = skills.slice(0, maxListed).map(({ name, description }) => `- ${name}: ${cutText(description.replace(/\s+/g, ' '), maxDescriptionUnits).text}`);
  return [...lines, ...(skills.length > maxListed ? [`- and ${skills.length - maxListed} more`] : [])].join('\n');
}

async function faultless<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TechneError) throw new ToolFault(error.message);
    throw error;
  }
}
