/* The first process of the emulated machine: runs the programs whose names and arguments are in
 * /program0, /program1 and so on, with the environment of /environment, until one fails, and passes
 * on what they say, byte by byte to the emulator's port for that. Then the machine goes off. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

enum { output_port = 0xE9, power_port = 0x8900, most_words = 64 };

static void say(const char* text, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) outb((unsigned char)text[i], output_port);
}

/* The lines of a file, behind those that are there already. */
static void read_words(const char* path, char* words[most_words + 1])
{
    FILE* file = fopen(path, "r");
    char line[4096];
    size_t count = 0;
    while (words[count] != NULL) ++count;
    while (file != NULL && count < most_words && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = 0;
        words[count++] = strdup(line);
    }
    if (file != NULL) fclose(file);
}

/* A program's exit status, as a shell has it. */
static int run(char* const arguments[], char* const environment[])
{
    int ends[2];
    char text[4096];
    int status = 127;

    if (pipe(ends) != 0) return status;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execve(arguments[0], arguments, environment);
        perror(arguments[0]);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t bytes; (bytes = read(ends[0], text, sizeof text)) > 0;) say(text, (size_t)bytes);
    close(ends[0]);
    if (waitpid(child, &status, 0) == child)
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return status;
}

int main(void)
{
    static char* environment[most_words + 1] = {"PATH=/bin", "HOME=/tmp", "LD_BIND_NOW=1"};
    char text[64];
    int status = 0;

    if (iopl(3) != 0) return 1;
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
    read_words("/environment", environment);
    say("[machine is on]\n", 16);

    for (int number = 0; status == 0; ++number) {
        char* arguments[most_words + 1] = {NULL};
        snprintf(text, sizeof text, "/program%d", number);
        read_words(text, arguments);
        if (arguments[0] == NULL) break;
        status = run(arguments, environment);
    }
    say(text, (size_t)snprintf(text, sizeof text, "\n[machine is off: %d]\n", status));

    for (const char* word = "Shutdown"; *word != 0; ++word) outb((unsigned char)*word, power_port);
    reboot(RB_POWER_OFF);
    return 0;
}
