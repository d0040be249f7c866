// The page's queries of the manager, and how they are kept fresh.
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
} from '@tanstack/react-query';
import { resultOf, api, bodyOf, type Schemas } from './client.ts';

/** Responses that change with an operation; the characters' tech tree does too. */
export const keys = {
  status: ['status'],
  setup: ['setup'],
  preflight: ['preflight'],
  resetPlan: ['reset-plan'],
  gameConfig: ['game-config'],
  visibility: ['visibility'],
  automation: ['automation'],
  backups: ['backups'],
  update: ['update'],
  monitoring: ['monitoring'],
  logSources: ['log-sources'],
  serverLog: ['server-log'],
  characters: ['characters'],
  selftest: ['selftest'],
} as const;

export const useStatus = () =>
  useQuery({
    queryKey: keys.status,
    queryFn: () => bodyOf(api.GET('/api/status')),
    refetchInterval: 5_000,
  });

export const useSetup = () =>
  useQuery({ queryKey: keys.setup, queryFn: () => bodyOf(api.GET('/api/setup')), refetchInterval: 10_000 });

export const usePreflight = (isWanted: boolean) =>
  useQuery({
    queryKey: keys.preflight,
    queryFn: () => bodyOf(api.GET('/api/setup/preflight')),
    enabled: isWanted,
    staleTime: 30_000,
  });

export const useResetPlan = (isWanted: boolean) =>
  useQuery({
    queryKey: keys.resetPlan,
    queryFn: () => bodyOf(api.GET('/api/setup/reset')),
    enabled: isWanted,
    gcTime: 0,
  });

/** The lines of a finished operation, which do not change. */
export const useOperationLines = (operationId: string | null) =>
  useQuery({
    queryKey: ['lines', operationId],
    queryFn: () =>
      bodyOf(
        api.GET('/api/operations/{operationId}/lines', {
          params: { path: { operationId: operationId ?? '' } },
        }),
      ),
    enabled: operationId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useGameConfig = () =>
  useQuery({
    queryKey: keys.gameConfig,
    queryFn: async () => {
      const { body, headers } = await resultOf(api.GET('/api/game-config'));
      return { config: body, version: headers.get('etag') ?? '' };
    },
  });

export const useGameConfigFiles = (isWanted: boolean) =>
  useQuery({
    queryKey: [...keys.gameConfig, 'files'],
    queryFn: async () => {
      const { body, headers } = await resultOf(api.GET('/api/game-config/files'));
      return { files: body, version: headers.get('etag') ?? '' };
    },
    enabled: isWanted,
  });

export const useVisibility = () =>
  useQuery({
    queryKey: keys.visibility,
    queryFn: () => bodyOf(api.GET('/api/server-visibility')),
  });

export const useAutomation = () =>
  useQuery({ queryKey: keys.automation, queryFn: () => bodyOf(api.GET('/api/automation')) });

export const useBackups = () =>
  useQuery({ queryKey: keys.backups, queryFn: () => bodyOf(api.GET('/api/backups')) });

export const useUpdate = () =>
  useQuery({
    queryKey: keys.update,
    queryFn: () => bodyOf(api.GET('/api/updates')),
    staleTime: Number.POSITIVE_INFINITY,
    // The manager reads the file every twelve hours; a page may stay open for weeks.
    refetchInterval: 60 * 60_000,
  });

export function useUpdateCheck(): Action<void, Schemas['UpdateCheck']> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => bodyOf(api.GET('/api/updates', { params: { query: { refresh: true } } })),
    onSuccess: (found) => queries.setQueryData(keys.update, found),
  });
}

export const useMonitoring = (hours: number) =>
  useQuery({
    queryKey: [...keys.monitoring, hours],
    queryFn: () => bodyOf(api.GET('/api/monitoring', { params: { query: { hours } } })),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });

export const useLogSources = () =>
  useQuery({ queryKey: keys.logSources, queryFn: () => bodyOf(api.GET('/api/server-logs')) });

export interface LogRequest {
  sourceId: string;
  search: string;
  isPrevious: boolean;
}

export const useServerLog = ({ sourceId, search, isPrevious }: LogRequest) =>
  useQuery({
    queryKey: [...keys.serverLog, sourceId, search, isPrevious],
    queryFn: () =>
      bodyOf(
        api.GET('/api/server-logs/{sourceId}', {
          params: {
            path: { sourceId },
            query: { limit: 1_000, previous: isPrevious, ...(search !== '' && { search }) },
          },
        }),
      ),
  });

export const useCharacters = () =>
  useInfiniteQuery({
    queryKey: keys.characters,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET('/api/characters', {
          params: { query: { limit: 50, ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const useCharacter = (characterId: string) =>
  useQuery({
    queryKey: [...keys.characters, characterId],
    queryFn: () => bodyOf(api.GET('/api/characters/{characterId}', { params: { path: { characterId } } })),
  });

export const useCharacterTech = (characterId: string, isWanted: boolean) =>
  useQuery({
    queryKey: [...keys.characters, characterId, 'tech'],
    queryFn: () =>
      bodyOf(api.GET('/api/characters/{characterId}/tech', { params: { path: { characterId } } })),
    enabled: isWanted,
  });

export const useSelftest = (isWanted: boolean) =>
  useQuery({
    queryKey: keys.selftest,
    queryFn: () => bodyOf(api.GET('/api/diagnostics/selftest')),
    enabled: isWanted,
    staleTime: Infinity,
  });

export type Action<Input, Output> = UseMutationResult<Output, Error, Input>;

/** Displayed state is queried again; a self-test runs only on request. */
export function refresh(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.selftest[0] });
}

/** A request that changes the machine. */
export function useAction<Output, Input = void>(
  send: (input: Input) => Promise<Output>,
): Action<Input, Output> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: async (output) => {
      // A started operation is evaluated when it ends.
      if (!isUnderWay(output)) await refresh(queries);
    },
  });
}

function isUnderWay(output: unknown): boolean {
  return typeof output === 'object' && output !== null && 'state' in output && output.state === 'running';
}
