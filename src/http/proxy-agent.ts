import {HttpsProxyAgent} from 'https-proxy-agent'

type Connect = HttpsProxyAgent<string>['connect']

/** Tunnels through a proxy. The certificate at the far end must name the host of the address, never the proxy. */
export class ProxyAgent extends HttpsProxyAgent<string> {
  /** Node checks the name of the connection, which is the proxy's, where none is given, as with an IP address. */
  override connect(request: Parameters<Connect>[0], options: Parameters<Connect>[1]): ReturnType<Connect> {
    if (!options.secureEndpoint) return super.connect(request, options)
    const {checkServerIdentity} = process.getBuiltinModule('node:tls')
    const {host = ''} = options
    return super.connect(request, {
      ...options,
      checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    })
  }
}
