// What a model can correct about a call of a tool: a wrong path, a text that is not there. It becomes the result of the call.
export class ToolFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolFault';
  }
}
