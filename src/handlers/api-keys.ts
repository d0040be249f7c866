// Operations of the area `api-keys`.
import type { Schemas } from '../platform-contract/types.ts';
import type { ApiKeyDetail, ApiKeyRow, CreatedKey } from '../services/api-keys.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const apiKeys = {
  listApiKeys: async (ctx, { query }) => viewPage(await ctx.services.apiKeys.list(ctx, query), viewKey),
  createApiKey: async (ctx, { body }) => viewCreatedKey(await ctx.services.apiKeys.create(ctx, body)),
  getApiKey: async (ctx, { path }) => viewDetail(await ctx.services.apiKeys.get(ctx, path.api_key_id)),
  revokeApiKey: async (ctx, { path }) => ctx.services.apiKeys.revoke(ctx, path.api_key_id),
} satisfies Partial<Handlers>;

function viewKey(key: ApiKeyRow): Schemas['ApiKey'] {
  return {
    id: key.id,
    identifier: key.identifier,
    name: key.name,
    status: key.status,
    permissions: key.permissions,
    allowed_ips: key.allowed_ips,
    created_by: key.created_by,
    created_at: key.created_at,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
    revoked_at: key.revoked_at,
  };
}

function viewCreatedKey({ row, key }: CreatedKey): Schemas['CreatedApiKey'] {
  return { ...viewKey(row), key };
}

function viewDetail({ row, deprecatedUses }: ApiKeyDetail): Schemas['ApiKeyDetail'] {
  return {
    ...viewKey(row),
    deprecated_uses: deprecatedUses.map(({ operation, count, last_used_at }) => ({
      operation,
      count,
      last_used_at,
    })),
  };
}
