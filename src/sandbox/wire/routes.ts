import {type OperationId, operationIds, operations, type Stage, stageNames} from '../../contract/index.js'

export type Route = {
  id: OperationId
  stage: Stage
  methods: ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  path: string
}

/** Stages by age; an operation is served from its first stage on. The next release can do all that this one can. */
const byAge: readonly Stage[] = ['v1', 'v2', 'v2.1', 'rc']

/** Every route of the contract under every stage that has it. Reads are served as GET and as POST. [seed] [pub] */
export function listRoutes(): Route[] {
  return operationIds.flatMap((id) => {
    const operation = operations[id]
    const methods: Route['methods'] = operation.kind === 'read' ? ['GET', 'POST'] : [operation.verb]
    const paths = [operation.path, ...('alsoAt' in operation ? operation.alsoAt : [])]
    const stages = stageNames.filter((stage) => byAge.indexOf(stage) >= byAge.indexOf(operation.since))
    return stages.flatMap((stage) => paths.map((path) => ({id, stage, methods, path: `/${stage}${path}`})))
  })
}
