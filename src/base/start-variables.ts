// Environment variables that decide what a program loads, or which program is started.
//
// A skill never sets one of them: with them `git status` or `node --version` executes anything, whoever approved it. The
// case of a name does not matter, since Windows does not tell the cases apart and npm reads its variables in both. The
// table names what is common; it is a second lock. The first is that every command with variables of its own is shown to
// a person.

/** `*` at the end stands for any further letters. */
const names: { readonly [whose: string]: readonly string[] } = {
  'any program': ['PATH', 'PATHEXT', 'HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'COMSPEC', 'XDG_*'],
  'the dynamic linker': [
    'LD_*',
    'DYLD_*',
    'GLIBC_TUNABLES',
    'GCONV_PATH',
    'LOCPATH',
    'LIBPATH',
    'SHLIB_PATH',
  ],
  shells: [
    'SHELL',
    'ENV',
    'BASH_*',
    'BASHOPTS',
    'SHELLOPTS',
    'IFS',
    'PS4',
    'CDPATH',
    'ZDOTDIR',
    'FPATH',
    'PROMPT_COMMAND',
    'PSMODULEPATH',
  ],
  'what programs start to show or edit text': [
    'EDITOR',
    'VISUAL',
    'FCEDIT',
    'PAGER',
    'MANPAGER',
    'BROWSER',
    'LESSOPEN',
    'LESSCLOSE',
    'LESSKEY*',
    'TERMINFO*',
    'TERMCAP',
    'VIMINIT',
    'GVIMINIT',
    'EXINIT',
    'EMACSLOADPATH',
  ],
  git: ['GIT_*', 'SSH_ASKPASS*', 'HGRCPATH', 'SVN_SSH', 'CVS_RSH', 'RSYNC_RSH'],
  'Node and its packages': [
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_REPL_*',
    'NPM_CONFIG_*',
    'YARN_*',
    'BUN_*',
    'DENO_*',
  ],
  Python: [
    'PYTHONPATH',
    'PYTHONHOME',
    'PYTHONSTARTUP',
    'PYTHONUSERBASE',
    'PYTHONEXECUTABLE',
    'PYTHONPLATLIBDIR',
    'PYTHONINSPECT',
    'PYTHONBREAKPOINT',
    'PYTHONWARNINGS',
    'PYTHONPYCACHEPREFIX',
    'PIP_*',
    'UV_*',
    'CONDA_*',
  ],
  Perl: ['PERL5*', 'PERLLIB'],
  Ruby: ['RUBYLIB', 'RUBYOPT', 'RUBYSHELL', 'GEM_*', 'BUNDLE_*'],
  Java: [
    'JAVA_HOME',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JDK_JAVA_OPTIONS',
    'JAVA_OPTS',
    'CLASSPATH',
    'MAVEN_*',
    'GRADLE_*',
    'ANT_*',
    'SBT_OPTS',
  ],
  '.NET': ['DOTNET_*', 'CORECLR_*', 'COR_*', 'COMPLUS_*'],
  'other languages': [
    'LUA_*',
    'PHPRC',
    'PHP_INI_SCAN_DIR',
    'R_PROFILE*',
    'R_ENVIRON*',
    'R_LIBS*',
    'JULIA_*',
    'ERL_*',
    'GOFLAGS',
    'GOROOT',
    'GOPATH',
    'GOENV',
    'GOTOOLCHAIN',
    'CARGO*',
    'RUSTC*',
    'RUSTDOC*',
    'RUSTFLAGS',
    'RUSTUP_*',
    'GHC*',
  ],
  'builds and archives': [
    'CC',
    'CXX',
    'CPP',
    'LD',
    'AR',
    'MAKE',
    'MAKEFLAGS',
    'GNUMAKEFLAGS',
    'MAKEFILES',
    'GCC_EXEC_PREFIX',
    'COMPILER_PATH',
    'TAR_OPTIONS',
    'ZIPOPT',
    'UNZIP',
  ],
  'libraries that load plugins': [
    'OPENSSL_CONF',
    'OPENSSL_ENGINES',
    'OPENSSL_MODULES',
    'GTK_PATH',
    'GIO_*',
    'QT_PLUGIN_PATH',
    'GST_PLUGIN*',
    'MAGICK_*',
    'GNUPGHOME',
    'CURL_HOME',
    'WGETRC',
  ],
  'tools of the cloud': [
    'DOCKER_CONFIG',
    'DOCKER_HOST',
    'KUBECONFIG',
    'HELM_*',
    'AWS_CONFIG_FILE',
    'AWS_SHARED_CREDENTIALS_FILE',
    'CLOUDSDK_*',
    'TF_CLI_*',
    'ANSIBLE_*',
  ],
  techne: ['TECHNE_*'],
};

/** Only who wrote a commit and when; they start nothing. */
const harmless = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/;

const wanted = Object.entries(names).flatMap(([whose, list]) => list.map((name) => ({ whose, name })));

/** What the variable changes the start of ("git", "the dynamic linker"); `null` for one that a skill may set. */
export function changesStartOf(name: string): string | null {
  // "PATH=/x:" would set PATH: a name with anything else in it is none.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'any program';
  const upper = name.toUpperCase();
  if (harmless.test(upper)) return null;
  const found = wanted.find((each) =>
    each.name.endsWith('*') ? upper.startsWith(each.name.slice(0, -1)) : upper === each.name,
  );
  return found?.whose ?? null;
}
