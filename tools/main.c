/* main.c - the btviz program: finds the command and runs it. Links the shared library only. */
#include <stdio.h>

#include <btviz/btviz.h>

int main(void)
{
	printf("btviz %s\n", btviz_version());
	return 0;
}
