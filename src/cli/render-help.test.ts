import { describe, expect, it } from 'vitest';
import { everyCommand } from './spec/commands.ts';
import { renderCommandHelp, renderOverview } from './render-help.ts';

const golden = '../../test/golden/help';

describe('renderOverview', () => {
  it('names every command and option', async () => {
    await expect(renderOverview()).toMatchFileSnapshot(`${golden}/techne.txt`);
  });
});

describe('renderCommandHelp', () => {
  for (const command of everyCommand) {
    it(`explains techne ${command.name}`, async () => {
      await expect(renderCommandHelp(command)).toMatchFileSnapshot(
        `${golden}/${command.name.replace(' ', '-')}.txt`,
      );
    });
  }
});
