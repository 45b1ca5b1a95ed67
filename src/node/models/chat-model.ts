// A configured model as the other side of a conversation.
import type { ChatModel } from '../../ports/model.ts';
import { EndpointModels } from './endpoint-models.ts';
import type { EndpointModelsOptions, NamedEndpoint } from './endpoint-models.ts';

export function createChatModel(named: NamedEndpoint, options: EndpointModelsOptions): ChatModel {
  const models = new EndpointModels(options);
  const {
    label,
    endpoint: { model, provider },
  } = named;
  return {
    name: `model:${label}`,
    description: `${model} (${provider})`,
    takeTurn: (request) => models.take(named, request),
  };
}
