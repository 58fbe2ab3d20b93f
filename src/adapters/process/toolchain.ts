/**
 * Variables by which a machine's compilers, interpreters and package managers find themselves, their settings and the
 * way out. Where caches are is not among them: those are private inside the sandbox.
 */
export const TOOLCHAIN: readonly string[] = [
  ...[
    'RUSTUP_HOME',
    'RUSTUP_TOOLCHAIN',
    'CARGO_HOME',
    'RUSTFLAGS',
    'GOROOT',
    'GOPATH',
    'GOMODCACHE',
    'GOFLAGS',
  ],
  ...[
    'GOPROXY',
    'GOSUMDB',
    'GONOSUMDB',
    'GOPRIVATE',
    'GONOSUMCHECK',
    'GOTOOLCHAIN',
    'GO111MODULE',
    'CGO_ENABLED',
  ],
  ...['CC', 'CXX', 'PKG_CONFIG_PATH', 'LD_LIBRARY_PATH', 'LIBRARY_PATH', 'CPATH'],
  ...[
    'JAVA_HOME',
    'JDK_HOME',
    'MAVEN_HOME',
    'M2_HOME',
    'GRADLE_HOME',
    'SDKMAN_DIR',
    'ANDROID_HOME',
    'DOTNET_ROOT',
  ],
  ...[
    'PYENV_ROOT',
    'PYENV_VERSION',
    'VIRTUAL_ENV',
    'CONDA_PREFIX',
    'CONDA_DEFAULT_ENV',
    'POETRY_HOME',
    'UV_PYTHON',
  ],
  ...[
    'UV_INDEX_URL',
    'UV_DEFAULT_INDEX',
    'PIP_INDEX_URL',
    'PIP_EXTRA_INDEX_URL',
    'PIP_FIND_LINKS',
    'PIP_CERT',
  ],
  ...[
    'PIP_CONFIG_FILE',
    'PIP_NO_INDEX',
    'PIP_TRUSTED_HOST',
    'PIP_DEFAULT_TIMEOUT',
    'PIP_DISABLE_PIP_VERSION_CHECK',
  ],
  ...[
    'NVM_DIR',
    'NVM_BIN',
    'VOLTA_HOME',
    'FNM_DIR',
    'FNM_MULTISHELL_PATH',
    'NODENV_ROOT',
    'N_PREFIX',
    'PNPM_HOME',
  ],
  ...['BUN_INSTALL', 'COREPACK_HOME', 'npm_config_registry', 'NPM_CONFIG_REGISTRY', 'npm_config_userconfig'],
  ...['NPM_CONFIG_USERCONFIG', 'npm_config_globalconfig', 'NPM_CONFIG_GLOBALCONFIG', 'npm_config_cafile'],
  ...['NPM_CONFIG_CAFILE', 'npm_config_prefix', 'NPM_CONFIG_PREFIX', 'YARN_NPM_REGISTRY_SERVER'],
  ...['ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'MISE_CONFIG_DIR', 'RBENV_ROOT', 'GEM_HOME', 'GEM_PATH'],
  ...[
    'BUNDLE_PATH',
    'COMPOSER_HOME',
    'MIX_HOME',
    'HEX_HOME',
    'ERL_LIBS',
    'PERL5LIB',
    'NIX_PATH',
    'NIX_SSL_CERT_FILE',
  ],
  ...[
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'REQUESTS_CA_BUNDLE',
    'CURL_CA_BUNDLE',
    'CARGO_HTTP_CAINFO',
  ],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'all_proxy',
  ],
];

/** A proxy or an index whose address holds a login is a credential: it passes only by name (`environment.env`). */
const WITH_LOGIN = /:\/\/[^/\s@]+@/;

type Env = Readonly<Record<string, string | undefined>>;

/** Those of the parent's that a child gets unasked. */
export function getToolchainEnv(parent: Env): Record<string, string> {
  return Object.fromEntries(
    TOOLCHAIN.flatMap(name => {
      const value = parent[name];
      return value === undefined || WITH_LOGIN.test(value) ? [] : [[name, value]];
    }),
  );
}

/** Names of those that stay behind for the login in them. */
export function getWithheld(parent: Env): readonly string[] {
  return TOOLCHAIN.filter(name => WITH_LOGIN.test(parent[name] ?? ''));
}

/** The folders and files that they name: in sight also where something around them is not. */
export function getToolchainPaths(parent: Env): readonly string[] {
  return Object.values(getToolchainEnv(parent))
    .flatMap(value => value.split(':'))
    .filter(path => path.startsWith('/') && path !== '/');
}
