// The file tools of a nested agent, over one set of confined files.
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import { editFileTool } from './edit-file.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { searchFilesTool } from './search-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { writeFileTool } from './write-file.ts';

export function fileTools(files: ConfinedFiles): readonly Tool[] {
  return [
    readFileTool(files),
    writeFileTool(files),
    editFileTool(files),
    listFilesTool(files),
    searchFilesTool(files),
  ];
}
